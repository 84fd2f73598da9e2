import t from 'tap'
import { createTurns } from '../src/turns.js'

const PATIENCE_MS = 30_000

/** Work that ends when the test says so. */
function createWork() {
  const order: string[] = []
  const open: Array<() => void> = []
  return {
    order,
    endNext: async () => {
      open.shift()?.()
      await new Promise<void>((resolve) => {
        setImmediate(resolve)
      })
    },
    of: (name: string) => async (): Promise<void> => {
      order.push(name)
      await new Promise<void>((resolve) => {
        open.push(resolve)
      })
    }
  }
}

t.test(
  'a token with many statements gets three quarters of the connections, and another runs at once',
  async (t) => {
    const turns = createTurns({ connections: 4, patienceMs: PATIENCE_MS })
    const { of, order, endNext } = createWork()

    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map(async (name) => {
      await turns.take(name.slice(0, 1), of(name))
    })
    t.strictSame(order, ['a1', 'a2', 'a3', 'b1'])

    for (let i = 0; i < all.length; i++) await endNext()
    await Promise.all(all)
    t.strictSame(order, ['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])
  }
)

t.test('waiting tokens take turns, however many statements each has', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: PATIENCE_MS })
  const { of, order, endNext } = createWork()

  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(async (name) => {
    await turns.take(name.slice(0, 1), of(name))
  })
  for (let i = 0; i < all.length; i++) await endNext()
  await Promise.all(all)

  t.strictSame(order, ['a1', 'a2', 'b1', 'c1', 'a3'])
})

t.test('a statement that fails passes its turn to the next', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: PATIENCE_MS })

  const failed = turns.take('a', async () => {
    throw new Error('refused')
  })
  const next = turns.take('a', async () => 'done')

  await t.rejects(failed, { message: 'refused' })
  t.equal(await next, 'done')
})

t.test('a statement that waits too long is rejected, and does not run later', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: 20 })
  const { of, order, endNext } = createWork()

  const first = turns.take('a', of('a1'))
  await t.rejects(turns.take('a', of('a2')), { code: 'DATABASE_UNAVAILABLE', retryable: true })
  await endNext()
  await first

  t.strictSame(order, ['a1'])
})
