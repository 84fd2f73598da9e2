import t from 'tap'
import { createScanBudget } from '../../../src/modules/limits/scan-budget.js'

const MIB = 1024 * 1024

/** Counts as Redis does, for all gateways of a test. */
function sharedCounter() {
  const counts = new Map<string, number>()
  return {
    hit: async (hits: ReadonlyArray<{ name: string; by: number }>) =>
      hits.map(({ name, by }) => {
        counts.set(name, (counts.get(name) ?? 0) + by)
        return { count: counts.get(name) ?? 0, resetMs: 30_000 }
      })
  }
}

t.test(
  'a token that has used up its time or bytes waits for the end of the minute; others do not',
  async (t) => {
    for (const cost of [{ scanMs: 6_000 }, { unpackedBytes: 60 * MIB }]) {
      const budget = createScanBudget({ counter: sharedCounter(), scanSeconds: 10, unpackedBytes: 100 * MIB })

      budget.charge('a', cost)
      t.equal(budget.secondsToWait('a'), null)
      budget.charge('a', cost)

      t.ok((budget.secondsToWait('a') ?? 0) > 0)
      t.equal(budget.secondsToWait('b'), null)
    }
  }
)

t.test('costs at another gateway count from the next charge on', async (t) => {
  const counter = sharedCounter()
  const [first, second] = [0, 1].map(() =>
    createScanBudget({ counter, scanSeconds: 10, unpackedBytes: 0 })
  ) as [ReturnType<typeof createScanBudget>, ReturnType<typeof createScanBudget>]

  first.charge('a', { scanMs: 9_900 })
  second.charge('a', { scanMs: 200 })
  await new Promise(setImmediate)

  t.equal(second.secondsToWait('a'), 30)
})

t.test(
  'the budget is renewed after a minute, zero means no limit, and small costs are not counted',
  async (t) => {
    let now = 0
    const away = { hit: async () => null }
    const budget = createScanBudget({ counter: away, scanSeconds: 1, unpackedBytes: 0, now: () => now })
    budget.charge('a', { scanMs: 5_000 })
    t.equal(budget.secondsToWait('a'), 60)
    now = 60_001
    t.equal(budget.secondsToWait('a'), null)

    const unlimited = createScanBudget({ counter: away, scanSeconds: 0, unpackedBytes: 0 })
    unlimited.charge('a', { scanMs: 1e9, unpackedBytes: 1e15 })
    t.equal(unlimited.secondsToWait('a'), null)

    const strict = createScanBudget({ counter: away, scanSeconds: 1, unpackedBytes: 1 })
    for (let i = 0; i < 1_000; i++) strict.charge('a', { scanMs: 99, unpackedBytes: 1_000 })
    t.equal(strict.secondsToWait('a'), null)
  }
)
