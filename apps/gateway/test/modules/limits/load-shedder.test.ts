import t from 'tap'
import { createLogger } from '@filewright/runtime'
import { numbersFrom } from '@filewright/testing'
import {
  createAdmission,
  startLoadShedder,
  type ShedLimits
} from '../../../src/modules/limits/load-shedder.js'

const LIMITS = { maxLagMs: 100, maxHeapPercent: 90 }
const calm = { lagMs: 3, heapPercent: 40 }
const late = { lagMs: 250, heapPercent: 40 }

/** The number of admitted requests out of a given number. */
function admitted(admission: { admits: () => boolean }, requests = 1_000): number {
  return Array.from({ length: requests }, () => admission.admits()).filter(Boolean).length
}

t.test('every request is admitted while the event loop is on time', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 100; tick++) admission.tick(calm)

  t.equal(admitted(admission), 1_000)
})

t.test('a process that was suspended, or collected garbage once, refuses no request', async (t) => {
  const admission = createAdmission(LIMITS)
  admission.tick({ lagMs: 300_000, heapPercent: 40 })
  t.equal(admitted(admission), 1_000)
  admission.tick(late)
  t.equal(admitted(admission), 1_000, 'twice in a row')
  admission.tick(calm)
  for (let tick = 0; tick < 2; tick++) admission.tick(late)

  t.equal(admitted(admission), 1_000)
})

t.test('while the event loop stays late, ever fewer requests are admitted, but never none', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 3; tick++) admission.tick(late)
  const first = admitted(admission)
  admission.tick(late)
  const second = admitted(admission)
  for (let tick = 0; tick < 100; tick++) admission.tick(late)
  const last = admitted(admission)

  t.ok(first < 1_000 && second < first && last < second, `${first}, ${second}, ${last}`)
  t.ok(last > 0, 'otherwise nobody would ever find out that it has become better')
})

t.test('admits all requests again, step by step, once the event loop is on time', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 100; tick++) admission.tick(late)
  admission.tick(calm)
  const first = admitted(admission)
  for (let tick = 0; tick < 100; tick++) admission.tick(calm)

  t.ok(first < 200, 'not all at once: they would make it late again')
  t.equal(admitted(admission), 1_000)
})

interface Ready {
  at: number
  steps: number
  until: number
}

/**
 * An event loop in simulated time, so that the result does not depend on the machine. A request takes four
 * steps of 0.25 ms, with waits of 2 ms between them; a refusal takes 0.1 ms.
 * @param load relative to the event loop's capacity
 * @returns p99 of the admitted requests, after the first eight seconds
 */
function p99At(load: number, limits: ShedLimits): number {
  const [steps, stepMs, refusalMs, waitMs, endMs, warmMs] = [4, 0.25, 0.1, 2, 20_000, 8_000]
  const random = numbersFrom(1)
  const admission = createAdmission(limits)
  const waiting: Ready[] = []
  const times: number[] = []
  let ready: Ready[] = []
  let [now, lastTick, nextArrival] = [0, 0, 0]
  while (now < endMs) {
    for (; nextArrival <= now; nextArrival += (-Math.log(1 - random()) * steps * stepMs) / load) {
      ready.push({ at: nextArrival, steps: 0, until: 0 })
    }
    while ((waiting[0]?.until ?? Infinity) <= now) ready.push(waiting.shift() as Ready)
    const turnAt = now
    const batch = ready
    ready = []
    for (const request of batch) {
      const isRefused = request.steps === 0 && !admission.admits()
      now += isRefused ? refusalMs : stepMs
      if (isRefused) continue
      request.steps++
      if (request.steps < steps) waiting.push({ ...request, until: now + waitMs })
      else if (request.at > warmMs) times.push(now - request.at)
    }
    if (turnAt - lastTick >= 100) {
      admission.tick({ lagMs: Math.max(turnAt - lastTick - 100, now - turnAt), heapPercent: 0 })
      lastTick = turnAt
    }
    if (batch.length === 0) now = Math.min(nextArrival, waiting[0]?.until ?? Infinity, lastTick + 100)
  }
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Infinity
}

t.test(
  'at three times the load, admitted requests wait less than three times as long as at the limit',
  async (t) => {
    const atLimit = p99At(1, LIMITS)
    const beyond = p99At(3, LIMITS)
    t.comment(`p99 ${atLimit.toFixed()} ms at the limit, ${beyond.toFixed()} ms at three times the load`)

    t.ok(beyond < 3 * atLimit)
    t.ok(p99At(1.2, { maxLagMs: 0, maxHeapPercent: 0 }) > 4 * atLimit, 'the model can fail')
  }
)

t.test('a heap that is nearly full counts like a late event loop', async (t) => {
  const admission = createAdmission(LIMITS)
  for (let tick = 0; tick < 10; tick++) admission.tick({ lagMs: 0, heapPercent: 95 })

  t.ok(admitted(admission) < 1_000)
})

t.test('0 turns off each of the two limits', async (t) => {
  const admission = createAdmission({ maxLagMs: 0, maxHeapPercent: 0 })
  for (let tick = 0; tick < 10; tick++) admission.tick({ lagMs: 60_000, heapPercent: 99 })

  t.equal(admitted(admission), 1_000)
})

t.test('a clock jump does not count as a late event loop', async (t) => {
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
  // The clock jumps an hour at each call.
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
