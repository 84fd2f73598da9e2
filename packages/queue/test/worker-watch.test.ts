import t from 'tap'
import { createWorkerWatch } from '../src/worker-watch.js'

const SECOND = 1_000
const watchOf = () => createWorkerWatch({ noWorkerAfterMs: 10 * SECOND })

t.test('a request waits ten seconds without a worker, counted from its own start', async (t) => {
  const watch = watchOf()
  for (let now = 0; now <= 20 * SECOND; now += SECOND) watch.saw(false, now)

  t.equal(watch.isWaitOver(0, 20 * SECOND), true)
  t.equal(watch.isWaitOver(10 * SECOND, 20 * SECOND), true)
  t.equal(watch.isWaitOver(11 * SECOND, 20 * SECOND), false)
})

t.test('a worker that is seen restarts the count, and so does an unreachable Redis', async (t) => {
  const watch = watchOf()
  watch.saw(false, 0)
  watch.saw(true, 4 * SECOND)
  t.equal(watch.isWaitOver(0, 20 * SECOND), false)

  watch.saw(false, 5 * SECOND)
  watch.sawNothing()
  t.equal(watch.isWaitOver(0, 20 * SECOND), false)
})

t.test('when no worker has taken jobs for half a minute, a new request does not wait', async (t) => {
  const watch = watchOf()
  for (let now = 0; now <= 30 * SECOND; now += SECOND) watch.saw(false, now)

  t.equal(watch.isWaitOver(30 * SECOND, 30 * SECOND), true)
})

t.test('nothing is concluded from a period without checks', async (t) => {
  const watch = watchOf()
  watch.saw(false, 0)
  watch.saw(false, 60 * SECOND)

  t.equal(watch.isWaitOver(60 * SECOND, 60 * SECOND), false)
})
