import t from 'tap'
import { createRetention } from '../../src/sweeper/retention.js'

const now = new Date('2026-06-30T00:00:00.000Z')

function retentionOf(
  stored: { generations: number; refusedFiles: number; downloads: number },
  days: { generations: number; refusedFiles: number; downloads: number }
) {
  const asked: Array<{ what: string; before: string; limit: number }> = []
  const take = (what: 'generations' | 'refusedFiles' | 'downloads', before: Date, limit: number): number => {
    asked.push({ what, before: before.toISOString(), limit })
    const taken = Math.min(limit, stored[what])
    stored[what] -= taken
    return taken
  }
  const removeOldRecords = createRetention({
    generations: {
      removeEnded: async ({ startedBefore, limit }) => take('generations', startedBefore, limit)
    },
    files: { removeRefused: async ({ scannedBefore, limit }) => take('refusedFiles', scannedBefore, limit) },
    events: { removeOld: async () => 0, adoptRestored: async () => 0 },
    deliveries: { removeOld: async () => 0, removeOrphans: async () => 0 },
    downloads: { removeOld: async ({ lastBefore, limit }) => take('downloads', lastBefore, limit) },
    clock: { now: () => now },
    days: { ...days, events: 7 }
  })
  return { removeOldRecords, asked, stored }
}

t.test('old records are removed in batches until none is left', async (t) => {
  const { removeOldRecords, asked } = retentionOf(
    { generations: 2_500, refusedFiles: 3, downloads: 7 },
    { generations: 90, refusedFiles: 30, downloads: 30 }
  )

  t.match(await removeOldRecords(), {
    generationsRemoved: 2_500,
    refusedRemoved: 3,
    downloadsRemoved: 7
  })

  const before = { generations: '2026-04-01T00:00:00.000Z', refusedFiles: '2026-05-31T00:00:00.000Z' }
  t.strictSame(asked, [
    ...Array(3).fill({ what: 'generations', before: before.generations, limit: 1_000 }),
    { what: 'refusedFiles', before: before.refusedFiles, limit: 1_000 },
    { what: 'downloads', before: before.refusedFiles, limit: 1_000 }
  ])
})

t.test('one pass removes a bounded number, and the next continues', async (t) => {
  const { removeOldRecords, stored } = retentionOf(
    { generations: 50_000, refusedFiles: 0, downloads: 0 },
    { generations: 90, refusedFiles: 30, downloads: 30 }
  )

  t.match(await removeOldRecords(), { generationsRemoved: 20_000 })
  await removeOldRecords()

  t.equal(stored.generations, 10_000)
})

t.test('0 days keeps everything without a query, except for downloads, which are all deleted', async (t) => {
  const { removeOldRecords, asked } = retentionOf(
    { generations: 5, refusedFiles: 5, downloads: 5 },
    { generations: 0, refusedFiles: 0, downloads: 0 }
  )

  t.match(await removeOldRecords(), { generationsRemoved: 0, refusedRemoved: 0, downloadsRemoved: 5 })
  t.strictSame(asked, [{ what: 'downloads', before: now.toISOString(), limit: 1_000 }])
})
