import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { createRescanFile } from '@filewright/domain'
import { sealVerdict, type ScanFilePayload } from '@filewright/queue'
import { AppError, createLogger, systemClock } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createRescanner, type RescannerDeps } from '../../src/rescan/rescanner.js'
import { startTestGateway, type ScriptedVerdict, type TestGateway } from '../helpers/test-gateway.js'

const logger = createLogger({ name: 'test', level: 'silent' })
const cleanBy = (engine: string) => async (): Promise<ScriptedVerdict> => ({ verdict: 'clean', engine })
const oneInfected =
  (engine: string, infected: string) =>
  async ({ fileId }: ScanFilePayload): Promise<ScriptedVerdict> =>
    fileId === infected
      ? { verdict: 'infected', signature: 'New.Virus', engine }
      : { verdict: 'clean', engine }

function rescannerOf(gateway: TestGateway, overrides: Partial<RescannerDeps> = {}) {
  const {
    database: { files, rescans },
    blobs,
    requestVerdict
  } = gateway
  const rescanFile = createRescanFile({
    files,
    rescans,
    blobs,
    requestVerdict,
    clock: systemClock,
    logger,
    deadlineMs: 1_000
  })
  return createRescanner({
    files,
    rescans,
    rescanFile,
    clock: systemClock,
    logger,
    intervalMs: 10,
    batch: 100,
    claimMs: 60_000,
    ...overrides
  })
}

/** Stores files for this test only, with verdicts of the engine `test/1`, oldest first. */
async function stored(gateway: TestGateway, count: number): Promise<string[]> {
  for (const { id } of await gateway.database.files.pageStored({ after: '', limit: 1_000 })) {
    await gateway.database.files.withdraw(id)
  }
  gateway.onScan(cleanBy('test/1'))
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await gateway.store())
  gateway.scanned.length = 0
  return ids
}

let version = 1
/** An unused name, because the database remembers all versions. */
const nextEngine = (): string => `test/${++version}`

t.test('a rescan pass', async (t) => {
  const gateway = await startTestGateway(t)
  const { files, rescans } = gateway.database

  t.test('scans one file while the signatures are unchanged', async (t) => {
    const ids = await stored(gateway, 3)
    gateway.onScan(cleanBy(nextEngine()))
    await rescannerOf(gateway).turn()
    gateway.scanned.length = 0

    for (let turn = 0; turn < ids.length; turn++) {
      t.match(await rescannerOf(gateway).turn(), { scanned: 1, withdrawn: 0 })
    }

    t.strictSame(
      gateway.scanned.map(({ fileId }) => fileId),
      ids,
      'every file in its turn'
    )
  })

  t.test(
    'scans everything again with new signatures, oldest verdict first, each file once, in separate jobs',
    async (t) => {
      const ids = await stored(gateway, 4)
      const newest = nextEngine()
      gateway.onScan(cleanBy(newest))

      t.match(await rescannerOf(gateway).turn(), { scanned: 4, withdrawn: 0, damaged: 0 })

      t.strictSame(
        gateway.scanned.map(({ fileId }) => fileId),
        ids
      )
      t.ok(gateway.scanned.every(({ round }) => round !== undefined))
      for (const id of ids) t.match(await files.findReady(id), { engine: newest, leaseExpiresAt: null })
      t.equal(await rescans.countOutdated(newest), 0)
    }
  )

  t.test(
    'withdraws infected files from every address, also the one that revealed the new signatures',
    async (t) => {
      const ids = await stored(gateway, 3)
      const reports: unknown[] = []
      const [infected = ''] = ids
      gateway.onScan(oneInfected(nextEngine(), infected))

      t.match(await rescannerOf(gateway, { onReport: (report) => reports.push(report) }).turn(), {
        scanned: 3,
        withdrawn: 1
      })

      for (const address of [
        `/api/files/${infected}`,
        `/api/files/${infected}/download`,
        `/files/${infected}/download`,
        `/cdn/files/${infected}`
      ]) {
        t.equal((await gateway.get(address)).statusCode, 410, address)
      }
      t.notMatch((await gateway.get('/api/files?project_id=acme')).body, infected)
      t.match(await files.findById(infected), { state: 'quarantined', signature: 'New.Virus', blobKey: null })
      t.equal(await gateway.blobs.stat(blobKeyOf(infected)), null)
      t.equal((await gateway.get(`/api/files/${ids[1]}`)).statusCode, 200, 'others stay')
      t.match(reports, [{ withdrawn: 1 }])
    }
  )

  t.test('changes nothing when a verdict has a wrong signature', async (t) => {
    const [id = ''] = await stored(gateway, 1)
    const before = await files.findById(id)
    for (const verdict of ['infected', 'clean'] as const) {
      gateway.onScan(async () => ({ verdict, engine: nextEngine(), seal: 'a'.repeat(64) }))

      await t.rejects(rescannerOf(gateway, { claimMs: 0 }).turn(), { code: 'SCAN_UNAVAILABLE' })

      t.match(await files.findById(id), { state: 'ready', engine: before?.engine })
      t.equal((await gateway.get(`/api/files/${id}/download`)).statusCode, 200)
    }
  })

  t.test('rejects a replayed older verdict of the same file', async (t) => {
    const [id = ''] = await stored(gateway, 1)
    const key = await gateway.blobs.secret.ensure()
    const { sizeBytes = 0, sha256 = '' } = (await files.findReady(id)) ?? {}
    const older = { verdict: 'clean' as const, engine: nextEngine(), fileId: id, sizeBytes, sha256 }
    gateway.onScan(async () => sealVerdict(key, {}, older))

    await t.rejects(rescannerOf(gateway).turn(), { code: 'SCAN_UNAVAILABLE' })

    t.match(await files.findReady(id), { engine: 'test/1' })
  })

  t.test('stops at its batch, and the next pass continues there', async (t) => {
    const ids = await stored(gateway, 5)
    gateway.onScan(cleanBy(nextEngine()))

    t.match(await rescannerOf(gateway, { batch: 2 }).turn(), { scanned: 2 })
    t.match(await rescannerOf(gateway, { batch: 3 }).turn(), { scanned: 3 })

    t.strictSame(
      gateway.scanned.map(({ fileId }) => fileId),
      ids
    )
  })

  t.test('shares the files with other gateways, none scanned twice', async (t) => {
    const ids = await stored(gateway, 12)
    const newest = nextEngine()
    await rescans.noteEngine(newest, new Date())
    gateway.onScan(cleanBy(newest))

    const reports = await Promise.all([1, 2, 3].map(async () => await rescannerOf(gateway).turn()))

    t.strictSame(gateway.scanned.map(({ fileId }) => fileId).sort(), [...ids].sort())
    t.equal(
      reports.reduce((sum, { scanned }) => sum + scanned, 0),
      ids.length
    )
  })

  t.test('changes nothing while the scanner is down, and continues after the claim expires', async (t) => {
    const [id = ''] = await stored(gateway, 1)
    const newest = nextEngine()
    await rescans.noteEngine(newest, new Date())
    gateway.onScan(async () => {
      throw new AppError('SCAN_UNAVAILABLE', 'scripted', { retryable: true })
    })

    await t.rejects(rescannerOf(gateway).turn(), { code: 'SCAN_UNAVAILABLE' })
    t.match(await files.findReady(id), { engine: 'test/1' })
    t.equal((await gateway.get(`/api/files/${id}`)).statusCode, 200)

    gateway.onScan(cleanBy(newest))
    t.match(await rescannerOf(gateway).turn(), { scanned: 0 }, 'not before its time')
    const later = { now: () => new Date(Date.now() + 61_000) }
    t.match(await rescannerOf(gateway, { clock: later }).turn(), { scanned: 1 })
    t.match(await files.findReady(id), { engine: newest })
  })

  t.test('skips a file that cannot be read, and one that was deleted during the pass', async (t) => {
    const [unreadable = '', deleted = '', sound = ''] = await stored(gateway, 3)
    const newest = nextEngine()
    await rescans.noteEngine(newest, new Date())
    gateway.onScan(async ({ fileId }) => {
      if (fileId === unreadable) throw new AppError('BLOB_CORRUPT', 'scripted')
      if (fileId === sound) return { verdict: 'clean', engine: newest }
      await files.markDeleting(deleted)
      throw new AppError('JOB_FAILED', 'blob is gone')
    })

    t.match(await rescannerOf(gateway).turn(), { scanned: 1, damaged: 1 })

    t.match(await files.findReady(unreadable), { engine: 'test/1' })
    t.match(await files.findReady(sound), { engine: newest })
  })

  t.test('ends when a worker with older signatures answers, and ignores its verdict', async (t) => {
    const [first = ''] = await stored(gateway, 3)
    await rescannerOf(gateway).turn()
    await rescans.noteEngine(nextEngine(), new Date())
    gateway.scanned.length = 0
    gateway.onScan(cleanBy('test/1'))

    t.match(await rescannerOf(gateway, { clock: { now: () => new Date(Date.now() + 61_000) } }).turn(), {
      scanned: 1
    })

    t.match(await rescans.countOutdated(`test/${version}`), 3)
    t.match(await files.findReady(first), { engine: 'test/1' })
  })
})

t.test('continues after a failed pass and stops when asked; a batch of 0 turns it off', async (t) => {
  const gateway = await startTestGateway(t)
  let turns = 0
  const rescans = {
    ...gateway.database.rescans,
    noteEnginesOfFiles: async () => {
      turns++
      throw new AppError('DATABASE_UNAVAILABLE', 'scripted')
    }
  }
  const off = rescannerOf(gateway, { rescans, batch: 0 })
  off.start()
  const rescanner = rescannerOf(gateway, { rescans })

  rescanner.start()
  await poll(() => turns >= 3)
  await rescanner.stop()
  await off.stop()

  const after = turns
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(turns, after)
})
