import t from 'tap'
import type { WindowCount } from '@filewright/queue'
import { poll } from '@filewright/testing'
import { createSharedCounts } from '../../../src/modules/limits/shared-counts.js'

/** A Redis that counts, and what it received in each round trip. */
function counterOf(others = 0) {
  const told: number[] = []
  let count = others
  return {
    told,
    hit: async (hits: ReadonlyArray<{ name: string; by: number }>): Promise<WindowCount[] | null> =>
      hits.map(({ by }) => {
        told.push(by)
        count += by
        return { count, resetMs: 60_000 }
      })
  }
}

t.test('far below the limit, hits are counted at once and sent to Redis together', async (t) => {
  const counter = counterOf()
  const counts = createSharedCounts(counter)
  const hit = async () => (await counts.hit([{ name: 'a', limit: 1_000 }]))?.[0]?.count

  const seen = [await hit(), await hit(), await hit(), await hit()]

  t.strictSame(seen, [1, 2, 3, 4])
  t.strictSame(counter.told, [1], 'only the first has asked')
  await poll(async () => counter.told.length === 2, { what: 'the rest to be told' })
  t.strictSame(counter.told, [1, 3])
  t.equal(await hit(), 5, 'and none counts twice')
})

t.test('near the limit every hit is sent to Redis, whichever gateways counted the others', async (t) => {
  const counter = counterOf(960)
  const counts = createSharedCounts(counter)

  for (let i = 0; i < 3; i++) await counts.hit([{ name: 'a', limit: 1_000 }])

  t.strictSame(counter.told, [1, 1, 1])
})

t.test('unavailable counts are null, and are requested again', async (t) => {
  let asked = 0
  const counts = createSharedCounts({
    hit: async () => {
      asked++
      return null
    }
  })

  t.equal(await counts.hit([{ name: 'a', limit: 1_000 }]), null)
  t.equal(await counts.hit([{ name: 'a', limit: 1_000 }]), null)
  t.equal(asked, 2)
})
