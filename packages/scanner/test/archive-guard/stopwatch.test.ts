import t from 'tap'
import { createStopwatch } from '../../src/archive-guard/stopwatch.js'

t.test('counts time only while it runs', async (t) => {
  const watch = createStopwatch()
  const pass = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 15))
  }

  await pass()
  t.equal(watch.elapsedMs(), 0)

  watch.start()
  await pass()
  watch.stop()
  const first = watch.elapsedMs()
  await pass()
  t.ok(first >= 10)
  t.equal(watch.elapsedMs(), first)

  watch.start()
  await pass()
  t.ok(watch.elapsedMs() >= first + 10)
})
