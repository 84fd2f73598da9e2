import { setImmediate } from 'node:timers/promises'

/** Far below what another request notices. */
const MAX_RUN_MS = 10
/** Of the whole process: scans that wait for nothing hold up the event loop together. */
let runningSince = 0

/**
 * Lets the event loop turn if it has not for a while. Awaiting what is already there does not: a file in
 * memory would be read from its first to its last byte with everything else at a standstill.
 */
export async function letOthersRun(): Promise<void> {
  if (performance.now() - runningSince < MAX_RUN_MS) return
  await setImmediate()
  runningSince = performance.now()
}
