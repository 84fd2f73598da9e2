import { once } from 'node:events'
import type { Job } from 'bullmq'
import t from 'tap'
import { createRunningJobs } from '../src/running-jobs.js'

const job = {} as Job
const untilStopped = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
  signal.throwIfAborted()
}

t.test('a cancellation that arrives before its job stops it at its start, once', async (t) => {
  const running = createRunningJobs()
  running.stop('early', 'cancelled')

  const first = running.run(job, 'early', untilStopped)
  await t.rejects(first.outcome, { code: 'CANCELLED' })
  t.equal(first.stopped(), 'cancelled')

  const again = running.run(job, 'early', async () => 'done')
  t.equal(await again.outcome, 'done')
})

t.test('a job lost to another worker may come back', async (t) => {
  const running = createRunningJobs()
  running.stop('lost', 'lost')

  t.equal(await running.run(job, 'lost', async () => 'done').outcome, 'done')
})
