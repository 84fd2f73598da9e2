import t from 'tap'
import { inMinutes, insertReady, insertScanning, openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)
t.beforeEach(async () => {
  await server.query('TRUNCATE files, scanner_versions')
})

const claim = async (except?: string) =>
  await db.rescans.claimOldest({ now: new Date(), until: inMinutes(10), except })
const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute))

async function insertVerdict(engine: string, minute: number): Promise<string> {
  const id = await insertScanning(db, 'acme')
  await db.files.publish(id, { engine, at: at(minute) })
  return id
}

t.test(
  'files are claimed in the order of their verdicts, across engines, without those of the newest engine',
  async (t) => {
    const third = await insertVerdict('ClamAV 1/9', 3)
    const first = await insertVerdict('ClamAV 1/10', 1)
    const second = await insertVerdict('ClamAV 1/9', 2)
    await insertVerdict('ClamAV 1/11', 0)
    await insertScanning(db, 'acme')

    const claimed = [
      await claim('ClamAV 1/11'),
      await claim('ClamAV 1/11'),
      await claim('ClamAV 1/11'),
      await claim('ClamAV 1/11')
    ]

    t.strictSame(
      claimed.map((file) => file?.id ?? null),
      [first, second, third, null]
    )
  }
)

t.test('without an excluded engine, the file with the oldest verdict is claimed', async (t) => {
  await insertVerdict('b', 2)
  const oldest = await insertVerdict('a', 1)

  t.equal((await claim())?.id, oldest)
})

t.test('a claim has one winner among many, and expires', async (t) => {
  const ids = [await insertVerdict('a', 1), await insertVerdict('a', 2), await insertVerdict('a', 3)]

  const claims = await Promise.all(Array.from({ length: 12 }, async () => await claim()))

  const won = claims.flatMap((file) => (file === null ? [] : [file.id]))
  t.equal(new Set(won).size, won.length, 'no file twice')
  while ((await claim()) !== null);
  const later = await db.rescans.claimOldest({ now: inMinutes(11), until: inMinutes(20) })
  t.equal(later?.id, ids[0])
})

t.test('a clean verdict is stored only on a ready file, and releases it', async (t) => {
  const id = await insertVerdict('a', 1)
  const gone = await insertVerdict('a', 2)
  await claim()
  await db.files.markDeleting(gone)

  t.equal(await db.rescans.recordClean(id, { engine: 'b', at: at(9) }), true)
  t.equal(await db.rescans.recordClean(gone, { engine: 'b', at: at(9) }), false)

  t.match(await db.files.findReady(id), { engine: 'b', scannedAt: at(9), leaseExpiresAt: null })
})

t.test('a ready file that turns out infected is quarantined, and only from the expected state', async (t) => {
  const { id } = await insertReady(db, 'acme')
  const scanning = await insertScanning(db, 'acme')
  const verdict = { engine: 'b', signature: 'Eicar', at: at(9) }

  t.equal(await db.files.markQuarantined(id, verdict), false)
  t.equal(await db.files.markQuarantined(scanning, verdict, 'stored'), false)
  t.equal(await db.files.markQuarantined(id, verdict, 'stored'), true)

  t.equal(await db.files.findReady(id), null)
  t.match(await db.files.findById(id), { state: 'quarantined', signature: 'Eicar', engine: 'b' })
})

t.test('the newest engine is the one first seen last, even when an older one is seen again', async (t) => {
  t.equal(await db.rescans.newestEngine(), null)
  await insertVerdict('ClamAV 1/9', 1)
  await insertVerdict('ClamAV 1/10', 2)
  await db.rescans.noteEnginesOfFiles()
  t.equal(await db.rescans.newestEngine(), 'ClamAV 1/10')

  t.equal(await db.rescans.noteEngine('ClamAV 1/11', at(3)), true)
  t.equal(await db.rescans.noteEngine('ClamAV 1/9', at(4)), false)

  t.equal(await db.rescans.newestEngine(), 'ClamAV 1/11')
  t.equal(await db.rescans.countOutdated('ClamAV 1/10'), 1)
})

t.test('ready files can be read page by page', async (t) => {
  const ids = [await insertVerdict('a', 1), await insertVerdict('a', 2), await insertVerdict('a', 3)].sort()
  await insertScanning(db, 'acme')

  const first = await db.files.pageStored({ after: '', limit: 2 })
  const second = await db.files.pageStored({ after: first.at(-1)?.id ?? '', limit: 2 })

  t.strictSame(
    [...first, ...second].map(({ id }) => id),
    ids
  )
})
