import t from 'tap'
import { createLogger } from '@filewright/runtime'
import { createAdmission, startLoadShedder } from '../../../src/modules/limits/load-shedder.js'

const LIMITS = { maxLagMs: 100, maxHeapPercent: 90 }
const calm = { lagMs: 3, heapPercent: 40 }
const late = { lagMs: 250, heapPercent: 40 }

/** Of so many requests, how many are let in. */
function admitted(admission: { admits: () => boolean }, requests = 1_000): number {
  return Array.from({ length: requests }, () => admission.admits()).filter(Boolean).length
}

t.test('every request is let in while the event loop is on time', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 100; tick++) admission.tick(calm)

  t.equal(admitted(admission), 1_000)
})

t.test('a process that was frozen for minutes, or collected garbage once, refuses nobody', async (t) => {
  const admission = createAdmission(LIMITS)
  admission.tick({ lagMs: 300_000, heapPercent: 40 })
  t.equal(admitted(admission), 1_000)
  admission.tick(late)
  t.equal(admitted(admission), 1_000, 'twice in a row')
  admission.tick(calm)
  for (let tick = 0; tick < 4; tick++) admission.tick(late)

  t.equal(admitted(admission), 1_000)
})

t.test('an event loop that stays late has ever fewer requests, but never none', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 5; tick++) admission.tick(late)
  const first = admitted(admission)
  admission.tick(late)
  const second = admitted(admission)
  for (let tick = 0; tick < 100; tick++) admission.tick(late)
  const last = admitted(admission)

  t.ok(first < 1_000 && second < first && last < second, `${first}, ${second}, ${last}`)
  t.ok(last > 0, 'otherwise nobody would ever find out that it has become better')
})

t.test('lets everybody in again once the event loop is on time, step by step', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 100; tick++) admission.tick(late)
  admission.tick(calm)
  const first = admitted(admission)
  for (let tick = 0; tick < 100; tick++) admission.tick(calm)

  t.ok(first < 500, 'not all at once: they would make it late again')
  t.equal(admitted(admission), 1_000)
})

t.test('a heap that is nearly full counts like a late event loop', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 10; tick++) admission.tick({ lagMs: 0, heapPercent: 95 })

  t.ok(admitted(admission) < 1_000)
})

t.test('0 turns each of the two off', async (t) => {
  const admission = createAdmission({ maxLagMs: 0, maxHeapPercent: 0 })
  for (let tick = 0; tick < 10; tick++) admission.tick({ lagMs: 60_000, heapPercent: 99 })

  t.equal(admitted(admission), 1_000)
})

t.test('a jump of the clock is not a late event loop', async (t) => {
  const { now } = Date
  const startedAt = performance.now()
  const shedder = startLoadShedder({
    maxLagMs: 1_000_000,
    maxHeapPercent: 0,
    logger: createLogger({ name: 'test', level: 'silent' })
  })
  t.teardown(() => {
    Date.now = now
    shedder.stop()
  })
  let calls = 0
  // Another hour at each look.
  Date.now = () => now() + 3_600_000 * ++calls
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      Date.now()
      if (performance.now() - startedAt < 1_000) return
      clearInterval(timer)
      resolve()
    }, 20)
  })

  t.ok(calls > 10)
  t.equal(admitted(shedder), 1_000)
})
