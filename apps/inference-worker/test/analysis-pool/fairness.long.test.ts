import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setMaxListeners } from 'node:events'
import t, { type Test } from 'tap'
import { createAnalysisPool, type AnalysisPool } from '../../src/analysis-pool/pool.js'

t.setTimeout(240_000)

/** About 120 KiB: analyzing it takes far longer than analyzing the small code. */
const large = Array.from(
  { length: 560 },
  (_, index) => `export function total${index} (orders, rate) {
  let sum = 0
  for (const order of orders) {
    if (order.isPaid && order.items.length > ${index}) sum += order.amount * rate
  }
  return { sum, count: orders.length, rate }
}
`
).join('\n')
const small = 'export const a = 1\n'

interface Jobs {
  pool: AnalysisPool
  /** Names of completed jobs, in order. */
  ended: string[]
  /** Analyzes code; the name's first letter is the lane. */
  run: (name: string, code: string, signal?: AbortSignal) => Promise<void>
}

/** A pool of one process for all jobs and one for small ones. Both have started and loaded their parsers. */
async function startPool(t: Test): Promise<Jobs> {
  const pool = createAnalysisPool({ size: 1, timeoutMs: 120_000 })
  t.teardown(() => pool.close())
  const warmUps = [large, small].map((code) => pool.analyze({ code, language: 'javascript' }))
  await Promise.all(warmUps)
  const ended: string[] = []
  return {
    pool,
    ended,
    run: async (name, code, signal) => {
      await pool.analyze({ code: `${code}// ${name}\n`, language: 'javascript' }, { lane: name[0], signal })
      ended.push(name)
    }
  }
}

/** Counts the processes started from now on. */
function countStarts(t: Test): () => number {
  let starts = 0
  const count = (): void => {
    starts++
  }
  subscribe('child_process', count)
  t.teardown(() => unsubscribe('child_process', count))
  return () => starts
}

t.test(
  'large jobs of one lane do not delay small jobs of another, and delay a large one by only one job',
  async (t) => {
    const { pool, ended, run } = await startPool(t)
    const leaving = new AbortController()
    setMaxListeners(13, leaving.signal)
    const ofA = Array.from({ length: 13 }, (_, index) => run(`a${index}`, large, leaving.signal))

    await pool.inLane('b').checkSyntax(large.slice(0, 20_000), 'javascript')
    await run('b small', small)
    t.strictSame(ended, ['b small'])
    await run('b large', large)
    t.ok(ended.length <= 3, ended.join(', '))

    leaving.abort()
    await Promise.allSettled(ofA)
  }
)

t.test('abandoned jobs delay another lane by one job and no process start', async (t) => {
  const { ended, run } = await startPool(t)
  const startsOf = countStarts(t)
  const leaving = new AbortController()
  const running = run('a running', large, leaving.signal)
  const waiting = run('a waiting', large, leaving.signal)
  leaving.abort()
  await t.rejects(running, { code: 'CANCELLED' })
  await t.rejects(waiting, { code: 'CANCELLED' })

  // The lane comes back before the other one.
  const again = run('a again', large)
  await Promise.all([run('b large', large), run('b small', small), again])

  t.strictSame(ended, ['b small', 'b large', 'a again'])
  t.equal(startsOf(), 0)
})
