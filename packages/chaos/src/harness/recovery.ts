import { poll } from '@filewright/testing'
import type { Tally } from './row.js'
import type { Subject } from './subject.js'

/** Waits until the condition holds, and records how long that took as the recovery from a fault. */
export async function recovery(
  tally: Tally,
  condition: () => Promise<boolean>,
  what = 'a service that works again'
): Promise<void> {
  const startedAt = performance.now()
  await poll(condition, { what, timeoutMs: 60_000, intervalMs: 50 })
  tally.recoveryMs.push(performance.now() - startedAt)
}

/** Waits until an upload succeeds. */
export async function uploadsRecover(tally: Tally, subject: Subject, project: string): Promise<void> {
  await recovery(
    tally,
    async () => (await subject.upload({ project })).status === 201,
    'uploads working again'
  )
}
