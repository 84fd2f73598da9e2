import t from 'tap'
import { createId, createLogger } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createUploadCleaner } from '../../../src/modules/files/upload-cleaner.js'

const id = createId()
const logger = createLogger({ name: 'test', level: 'silent' })

/** A database that is down for this many attempts. */
function cleanerOn(outages: number): {
  cleaner: ReturnType<typeof createUploadCleaner>
  tries: () => number
  removed: string[]
} {
  let tries = 0
  const removed: string[] = []
  const files = {
    withdraw: async () => {
      if (++tries <= outages) throw new Error('the database is away')
      return 'abandoned' as const
    },
    remove: async (id: string) => removed.push(id) > 0,
    clearBlob: async () => {}
  }
  const cleaner = createUploadCleaner({
    files,
    blobs: { remove: async () => true },
    logger,
    attempts: 2,
    retryMs: 1,
    patienceMs: 1
  })
  return { cleaner, tries: () => tries, removed }
}

t.test(
  'an upload that may have been published is withdrawn, however long the database is down',
  async (t) => {
    const { cleaner, removed } = cleanerOn(9)

    await cleaner.discard(id, { mayBePublished: true })
    await poll(() => removed.length > 0)

    t.strictSame(removed, [id])
  }
)

t.test('one that was never published is left to the sweeper after some attempts', async (t) => {
  const { cleaner, tries, removed } = cleanerOn(9)

  await cleaner.discard(id)
  await poll(() => tries() === 2)
  await cleaner.idle()

  t.equal(tries(), 2)
  t.strictSame(removed, [])
})
