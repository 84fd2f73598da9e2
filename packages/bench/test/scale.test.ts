import t from 'tap'
import { numbersFrom } from '@filewright/testing'
import { findLimit, runCell, sizeCells, type Costs } from '../src/scale/cell.js'
import { costsOfUpload } from '../src/scale/costs.js'
import { createHeap } from '../src/scale/heap.js'
import { simulate } from '../src/scale/simulate.js'

t.setTimeout(300_000)

/** Mean time in the queue of M/M/c by Erlang's C formula (A. K. Erlang, 1917). */
function erlangWaitMs(perSecond: number, serviceMs: number, servers: number): number {
  const load = (perSecond * serviceMs) / 1_000
  let term = 1
  let sum = 1
  for (let k = 1; k < servers; k++) {
    term *= load / k
    sum += term
  }
  const last = ((term * load) / servers) * (servers / (servers - load))
  return ((last / (sum + last)) * serviceMs) / (servers - load)
}

t.test('waiting times match Erlang’s formula', async (t) => {
  for (const [perSecond, visitMs, servers] of [
    [80, 10, 1],
    [300, 10, 4],
    [1_500, 10, 16]
  ] as const) {
    const { meanWaitMs } = simulate({
      stations: [{ name: 'only', servers, visitMs }],
      path: ['only'],
      perSecond,
      uploads: 150_000,
      random: numbersFrom(7)
    })

    const expected = erlangWaitMs(perSecond, visitMs, servers)
    t.ok(
      Math.abs(meanWaitMs / expected - 1) < 0.12,
      `${servers} processors: ${meanWaitMs.toFixed(2)} ms, by the formula ${expected.toFixed(2)} ms`
    )
  }
})

const costs: Costs = { gateway: 2, postgres: 0.5, redis: 0.3, 'scan-worker': 1, clamd: 10 }

t.test('there are as many cells as one Redis can serve, and no part is fuller than planned', async (t) => {
  const cell = sizeCells(costs, 10_000)

  t.equal(cell.cells, 5)
  const { busy } = runCell(costs, cell, cell.perSecond, numbersFrom(3))
  t.ok(Math.max(...Object.values(busy)) < 0.63, JSON.stringify(busy))
  t.equal(cell.processors.redis, 1)
})

t.test('the limit of a cell is above its planned load and below its CPU capacity', async (t) => {
  const cell = sizeCells(costs, 10_000)
  const { perSecond, bottleneck } = findLimit(costs, cell, numbersFrom(3))

  t.ok(perSecond > cell.perSecond)
  t.ok(perSecond < cell.perSecond / 0.55)
  t.equal(bottleneck, 'redis')
})

t.test('costs are on the line through the two measured sizes', async (t) => {
  const row = (name: string, ms: number) => ({
    name,
    measure: '',
    goal: '',
    met: true,
    value: 1,
    product: {
      perSecond: 1,
      p50Ms: 1,
      p99Ms: 1,
      residentMb: {},
      failures: 0,
      cpuMsPerRequest: { gateway: ms, postgres: ms, redis: ms, 'scan-worker-1': ms, clamd: ms }
    }
  })
  const rows = [row('upload 4 KiB, 16 at once', 2), row('upload 1 MiB, 16 at once', 12)]

  t.ok(Math.abs(costsOfUpload(rows, (4 * 1024 + 1024 * 1024) / 2_000).clamd - 7) < 0.001)
  t.throws(() => costsOfUpload(rows.slice(1), 100), { message: /no row "upload 4 KiB/ })
})

t.test('a heap returns its items in order', async (t) => {
  const random = numbersFrom(5)
  const heap = createHeap<number>((number) => number)
  const numbers = Array.from({ length: 1_000 }, () => random())
  for (const number of numbers) heap.push(number)

  t.strictSame(
    numbers.map(() => heap.pop()),
    [...numbers].sort((a, b) => a - b)
  )
  t.equal(heap.pop(), undefined)
})
