import t from 'tap'
import { createTurns, MAX_ASKED } from '../src/turns.js'
import { insertReady, openDatabase } from './helpers/database.js'

t.setTimeout(600_000)

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

    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map(
      async (name) => await turns.take(name.slice(0, 1), of(name))
    )
    t.strictSame(order, ['a1', 'a2', 'a3', 'b1'])

    for (let i = 0; i < all.length; i++) await endNext()
    await Promise.all(all)
    t.strictSame(order, ['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])
  }
)

t.test('waiting tokens take turns, however many statements each has', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: PATIENCE_MS })
  const { of, order, endNext } = createWork()

  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(async (name) => await turns.take(name.slice(0, 1), of(name)))
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

const count = (results: string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1
  return counts
}

t.test('a token with thousands of lists gets TOKEN_BUSY, and another token gets its lists', async (t) => {
  const { db } = await openDatabase(t)
  for (let i = 0; i < 3; i++) await insertReady(db, 'crowded')
  const turns = createTurns({ connections: 2, patienceMs: 2_000 })
  const list = async (tokenId: string): Promise<string> =>
    await turns
      .take(tokenId, async () => await db.files.list({ projectId: 'crowded', page: 1, limit: 10 }))
      .then(
        ({ files }) => (files.length === 3 ? 'listed' : 'wrong'),
        (error: { code: string }) => error.code
      )

  const crowd = Promise.all(Array.from({ length: 3_000 }, async () => await list('greedy')))
  const others: string[] = []
  for (let i = 0; i < 20; i++) others.push(await list('modest'))

  const { listed = 0, TOKEN_BUSY: refused = 0, ...rest } = count(await crowd)
  t.strictSame(rest, {}, 'the database is not blamed')
  t.equal(listed + refused, 3_000)
  t.ok(refused >= 3_000 - MAX_ASKED, `${refused} refused`)
  t.ok(listed > 0)
  t.strictSame(count(others), { listed: 20 })
  t.equal(await list('greedy'), 'listed', 'the token may go on')
})

/** Uses the test's own clock: every waiting statement checks once, after the others were answered. */
t.test(
  'while the database answers, statements of a token wait five times as long before it is reported busy',
  async (t) => {
    const clock = t.capture(globalThis, 'setInterval', (look: () => void) => {
      looks.push(look)
      return undefined as unknown as NodeJS.Timeout
    })
    const looks: Array<() => void> = []
    const turns = createTurns({ connections: 1, patienceMs: PATIENCE_MS })
    const { of, endNext } = createWork()
    const first = turns.take('a', of('a0'))
    const codes: string[] = []
    const rest = Array.from({ length: 9 }, async (_, i) => {
      await turns.take('a', of(`a${i + 1}`)).catch((error: { code: string }) => codes.push(error.code))
    })
    clock.restore()
    const tick = async (): Promise<void> => {
      for (const look of looks) look()
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    }

    for (let i = 0; i < 4; i++) {
      await endNext()
      await tick()
      t.strictSame(codes, [], `after ${i + 1} of five`)
    }
    await endNext()
    await tick()
    t.strictSame(count(codes), { TOKEN_BUSY: 4 })
    await endNext()
    await Promise.all([first, ...rest])
  }
)

t.test('a database that answers statements of other tokens is not reported as unavailable', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: 20 })
  const { of, endNext } = createWork()
  const first = turns.take('a', of('a1'))
  const answers = setInterval(turns.noteAnswer, 1)

  const code = await turns.take('a', of('a2')).catch((error: { code: string }) => error.code)

  clearInterval(answers)
  t.equal(code, 'TOKEN_BUSY')
  await endNext()
  await first
})

t.test('a database that answers nothing is unavailable, however much the token asks', async (t) => {
  const turns = createTurns({ connections: 1, patienceMs: 20 })
  const { of, endNext } = createWork()
  const first = turns.take('a', of('a1'))

  const codes = await Promise.all(
    Array.from(
      { length: 50 },
      async (_, i) => await turns.take('a', of(`b${i}`)).catch(({ code }) => code as string)
    )
  )

  t.strictSame(count(codes as string[]), { DATABASE_UNAVAILABLE: 50 })
  await endNext()
  await first
})
