import { setImmediate } from 'node:timers/promises'

/** Far shorter than another request would notice. */
const MAX_RUN_MS = 10
/** For the whole process: scans that wait for nothing block the event loop together. */
let runningSince = 0

/**
 * Yields to the event loop if it has not run for a while. Awaiting a resolved promise does not: a file in
 * memory would be read completely with everything else blocked.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - runningSince < MAX_RUN_MS) return
  await setImmediate()
  runningSince = performance.now()
}
