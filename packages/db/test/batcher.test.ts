import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { createBatcher } from '../src/batcher.js'

t.test('items that arrive during a statement are sent together in the next', async (t) => {
  const batches: number[][] = []
  const gate = new EventEmitter()
  const isOpen = once(gate, 'open')
  const double = createBatcher(
    async (items: number[]) => {
      batches.push(items)
      gate.emit('sent')
      await isOpen
      return items.map((item) => item * 2)
    },
    { underWay: 1, items: 3 }
  )

  const isSent = once(gate, 'sent')
  const first = double(1)
  await isSent
  const rest = Promise.all([2, 3, 4, 5].map(double))
  gate.emit('open')

  t.strictSame([await first, ...(await rest)], [2, 4, 6, 8, 10])
  t.strictSame(batches, [[1], [2, 3, 4], [5]])
})

t.test('one bad item does not affect the others', async (t) => {
  const positive = createBatcher(
    async (items: number[]) => {
      if (items.some((item) => item < 0)) throw new Error('negative')
      return items
    },
    { underWay: 1, items: 10 }
  )

  const outcomes = await Promise.allSettled([1, -1, 2].map(positive))

  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled']
  )
})

t.test('no caller waits for the sum of all timeouts when the database does not answer', async (t) => {
  const LIMIT_MS = 600
  const ask = createBatcher(
    async (): Promise<number[]> => {
      await sleep(LIMIT_MS)
      throw new AppError('DATABASE_UNAVAILABLE', 'no answer', { retryable: true })
    },
    { underWay: 1, items: 1 }
  )
  const startedAt = performance.now()

  // Sent separately they would take 30 times the limit.
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, async () => await ask(1)))

  t.ok(
    outcomes.every(
      (outcome) =>
        outcome.status === 'rejected' && (outcome.reason as AppError).code === 'DATABASE_UNAVAILABLE'
    )
  )
  const rounds = (performance.now() - startedAt) / LIMIT_MS
  t.ok(rounds < 10, `${rounds.toFixed(1)} times the limit`)
})
