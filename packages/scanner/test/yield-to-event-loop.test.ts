import t from 'tap'
import { yieldToEventLoop } from '../src/yield-to-event-loop.js'

/** Works for that long without a break, as a parser does. */
function work(ms: number): void {
  const since = performance.now()
  while (performance.now() - since < ms);
}

t.test('timers fire during long work that awaits nothing else', async (t) => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks++
  }, 1)
  t.teardown(() => clearInterval(timer))

  for (let i = 0; i < 20; i++) {
    work(12)
    await yieldToEventLoop()
  }

  t.ok(ticks >= 10, `${ticks} ticks`)
})

t.test('short work is not interrupted', async (t) => {
  let hasTurned = false
  work(12)
  await yieldToEventLoop()
  setImmediate(() => {
    hasTurned = true
  })

  await yieldToEventLoop()

  t.notOk(hasTurned)
})
