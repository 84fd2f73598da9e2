import { Readable } from 'node:stream'
import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { AppError, createId, createLogger } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createRetention } from '../../src/sweeper/retention.js'
import { createSweeper } from '../../src/sweeper/sweeper.js'
import { startTestGateway, type TestGateway } from '../helpers/test-gateway.js'

const logger = createLogger({ name: 'test', level: 'silent' })
const past = new Date(0)
const future = new Date(Date.now() + 3_600_000)

/** Uses a clock one hour ahead, so that newly stored files are old enough. */
const sweeperOf = ({ database, blobs }: TestGateway, overrides = {}) =>
  createSweeper({
    files: database.files,
    trash: database.trash,
    trashDays: 7,
    keys: database.idempotency,
    generations: database.generations,
    installation: { noteSweep: async () => [] },
    downloads: database.downloads,
    verifyStore: async () => {},
    blobs,
    clock: { now: () => future },
    logger,
    intervalMs: 10,
    graceMs: 1_000,
    aiGraceMs: 1_000,
    removeOldRecords: async () => ({
      generationsRemoved: 0,
      refusedRemoved: 0,
      eventsRemoved: 0,
      deliveriesRemoved: 0,
      downloadsRemoved: 0
    }),
    ...overrides
  })

async function pending({ database, blobs }: TestGateway, leaseExpiresAt: Date): Promise<string> {
  const id = createId()
  await database.files.insertPending({ id, blobKey: blobKeyOf(id), tokenId: null, leaseExpiresAt })
  await blobs.write(blobKeyOf(id), Readable.from([Buffer.from('half an upload')]))
  return id
}

t.test('a sweep', async (t) => {
  const gateway = await startTestGateway(t)
  const { files } = gateway.database

  t.test('ends uploads whose lease has expired, row and blob, and no others', async (t) => {
    const expired = await pending(gateway, past)
    const running = await pending(gateway, new Date(future.getTime() + 60_000))

    const report = await sweeperOf(gateway).sweep()

    t.match(report, { abandoned: 1, blobsRemoved: 1 })
    t.strictSame(await files.findStates([expired, running]), new Map([[running, 'pending']]))
    t.equal(await gateway.blobs.stat(blobKeyOf(expired)), null)
    t.ok(await gateway.blobs.stat(blobKeyOf(running)))
  })

  t.test('finishes a delete that was interrupted', async (t) => {
    const id = await gateway.store()
    await files.markDeleting(id)

    await sweeperOf(gateway).sweep()

    t.equal((await files.findStates([id])).size, 0)
    t.equal(await gateway.blobs.stat(blobKeyOf(id)), null)
  })

  t.test('deletes only files that have been in the trash for too long', async (t) => {
    const [old, young] = [await gateway.store(), await gateway.store()]
    for (const id of [old, young]) await files.markTrashed(id)
    // Only the database's clock counts: the sweeper's clock is an hour ahead.
    const days = async (): Promise<number> =>
      await gateway.database.trash.markExpiredDeleting({ days: 1 / 48, limit: 1 })
    t.equal(await days(), 0)

    t.match(await sweeperOf(gateway, { trashDays: 1 / 48 }).sweep(), { trashEmptied: 0, blobsRemoved: 0 })
    await gateway.database.trash.restore(young)
    t.match(await sweeperOf(gateway, { trashDays: 0 }).sweep(), { trashEmptied: 1, blobsRemoved: 1 })

    t.strictSame(await files.findStates([old, young]), new Map([[young, 'ready']]))
    t.equal(await gateway.blobs.stat(blobKeyOf(old)), null)
    t.ok(await gateway.blobs.stat(blobKeyOf(young)))
  })

  t.test('continues with the others when one blob cannot be removed', async (t) => {
    const [stuck, other] = [await gateway.store(), await gateway.store()]
    for (const id of [stuck, other]) await files.markDeleting(id)
    const remove = async (key: string): Promise<void> => {
      if (key === blobKeyOf(stuck)) throw new AppError('STORAGE_UNAVAILABLE', 'not now')
      await gateway.blobs.remove(key)
    }

    const report = await sweeperOf(gateway, { blobs: { ...gateway.blobs, remove } }).sweep()

    t.equal(report.blobsRemoved, 1)
    t.strictSame([...(await files.findStates([stuck, other])).keys()], [stuck])
    await sweeperOf(gateway).sweep()
    t.equal((await files.findStates([stuck])).size, 0)
  })

  t.test(
    'closes AI requests that a crash left without an outcome, but not those still in progress',
    async (t) => {
      const { generations, tokens } = gateway.database
      await tokens.create({ id: 'ai', name: 'ai', hash: 'ai', projects: ['*'] })
      const common = { kind: 'analyze' as const, tokenId: 'ai' }
      await generations.create({ ...common, id: 'left', startedAt: past })
      await generations.create({ ...common, id: 'fresh', startedAt: future })

      const report = await sweeperOf(gateway).sweep()

      t.equal(report.generationsFailed, 1)
      t.match(await generations.findById('left'), {
        outcome: 'failed',
        errorCode: 'ABANDONED',
        finishedAt: future
      })
      t.match(await generations.findById('fresh'), { outcome: 'running' })
    }
  )

  t.test('removes records after their retention time, and counts them', async (t) => {
    const { generations } = gateway.database
    const startedAt = new Date(future.getTime() - 91 * 86_400_000)
    await generations.create({ id: 'ancient', kind: 'analyze', tokenId: 'ai', startedAt })
    await generations.finish('ancient', { outcome: 'succeeded', finishedAt: startedAt })
    const removeOldRecords = createRetention({
      generations,
      files,
      events: gateway.database.events,
      deliveries: gateway.database.deliveries,
      downloads: gateway.database.downloads,
      clock: { now: () => future },
      days: { generations: 90, refusedFiles: 0, events: 7, downloads: 90 }
    })

    const report = await sweeperOf(gateway, { removeOldRecords }).sweep()

    t.ok(report.generationsRemoved >= 1)
    t.equal(await generations.findById('ancient'), null)
    t.ok(await generations.findById('fresh'))
  })

  t.test('removes expired idempotency keys, however many there are', async (t) => {
    const { idempotency } = gateway.database
    const claim = {
      tokenId: 'sweep',
      attemptId: 'a',
      route: 'POST /x',
      fingerprint: null,
      now: past,
      leaseExpiresAt: past
    }
    for (let i = 0; i < 201; i++) {
      await idempotency.claim({ ...claim, key: `old-${i}`, expiresAt: new Date(future.getTime() - 1) })
    }
    await idempotency.claim({ ...claim, key: 'young', expiresAt: new Date(future.getTime() + 1) })

    const report = await sweeperOf(gateway).sweep()

    t.equal(report.keysRemoved, 201)
    t.ok(await idempotency.find('sweep', 'young'))
  })

  t.test('removes the blob of a quarantined file and keeps its row', async (t) => {
    const id = await pending(gateway, future)
    const details = {
      projectId: 'acme',
      name: 'a',
      folder: '',
      description: null,
      sizeBytes: 1,
      sha256: 'x',
      type: 'text/plain',
      kind: 'code',
      charset: 'utf-8',
      leaseExpiresAt: future
    }
    await files.markScanning(id, details)
    await files.markQuarantined(id, { engine: 'test/1', signature: 'Eicar', at: new Date() })

    await sweeperOf(gateway).sweep()

    t.strictSame(await files.findStates([id]), new Map([[id, 'quarantined']]))
    t.equal(await gateway.blobs.stat(blobKeyOf(id)), null)
  })

  t.test('removes old blobs without a row, and keeps young ones and stored files', async (t) => {
    const stored = await gateway.store()
    const orphan = createId()
    await gateway.blobs.write(blobKeyOf(orphan), Readable.from([Buffer.from('orphan')]))

    t.equal(
      (await sweeperOf(gateway, { clock: { now: () => new Date() }, graceMs: 60_000 }).sweep())
        .orphansRemoved,
      0,
      'too young'
    )
    t.equal((await sweeperOf(gateway).sweep()).orphansRemoved, 1)

    t.equal(await gateway.blobs.stat(blobKeyOf(orphan)), null)
    t.ok(await gateway.blobs.stat(blobKeyOf(stored)))
  })
})

async function orphans({ blobs }: TestGateway, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => blobKeyOf(createId()))
  for (const key of keys) await blobs.write(key, Readable.from([Buffer.from('newer than the backup')]))
  return keys
}

function listener() {
  const warnings: object[] = []
  return {
    warnings,
    logger: {
      info: () => {},
      warn: (facts: object) => {
        warnings.push(facts)
      }
    }
  }
}

t.test('a sweep keeps blobs without a row when there are many, and logs it', async (t) => {
  const gateway = await startTestGateway(t)
  const { warnings, logger } = listener()
  for (let number = 0; number < 5; number++) await gateway.store()
  const many = await orphans(gateway, 21)

  t.equal((await sweeperOf(gateway, { logger }).sweep()).orphansRemoved, 0)
  t.equal((await gateway.filesOnDisk()).length, 26)
  t.strictSame(warnings, [{ held: 21, blobs: 26 }])

  await gateway.blobs.remove(many[0] ?? '')
  t.equal((await sweeperOf(gateway, { logger }).sweep()).orphansRemoved, 20)
  t.equal((await gateway.filesOnDisk()).length, 5)
})

t.test('a sweep keeps blobs that are newer than the backup of a restored database', async (t) => {
  const gateway = await startTestGateway(t)
  const { installation, files } = gateway.database
  const { warnings, logger } = listener()
  const sweep = async (at: Date) => {
    return await sweeperOf(gateway, { installation, logger, clock: { now: () => at } }).sweep()
  }
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)
  await installation.claim(createId(), minutesAgo(120))
  for (let minutes = 115; minutes > 60; minutes -= 5) await sweep(minutesAgo(minutes))
  const [kept, newer] = [await gateway.store(), await gateway.store()]
  // The backup is an hour old, from before the second upload.
  await files.markDeleting(newer)
  await files.remove(newer)

  t.equal((await sweep(new Date())).orphansRemoved, 0)
  t.equal((await sweep(future)).orphansRemoved, 0, 'nor later')

  for (const id of [kept, newer]) t.ok(await gateway.blobs.stat(blobKeyOf(id)))
  t.match(warnings.at(-1), { held: 1, blobs: 2 })
})

t.test('a sweep touches no blob and no row when the store belongs to another installation', async (t) => {
  const gateway = await startTestGateway(t)
  const { files } = gateway.database
  const expired = await pending(gateway, past)
  const deleting = await gateway.store()
  await files.markDeleting(deleting)
  const [orphan = ''] = await orphans(gateway, 1)
  const refused = {
    verifyStore: async () => {
      throw new AppError('STORE_MISMATCH', 'another store')
    }
  }

  await t.rejects(sweeperOf(gateway, refused).sweep(), { code: 'STORE_MISMATCH' })

  const states = await files.findStates([expired, deleting])
  t.strictSame(
    states,
    new Map([
      [expired, 'abandoned'],
      [deleting, 'deleting']
    ])
  )
  for (const key of [blobKeyOf(expired), blobKeyOf(deleting), orphan]) t.ok(await gateway.blobs.stat(key))
})

t.test('a sweeper continues after a failed pass, and stops when asked', async (t) => {
  const gateway = await startTestGateway(t)
  let turns = 0
  const sweeper = sweeperOf(gateway, {
    files: {
      ...gateway.database.files,
      findExpired: async () => {
        turns++
        throw new AppError('DATABASE_UNAVAILABLE', 'scripted')
      }
    }
  })

  sweeper.start()
  await poll(() => turns >= 3)
  await sweeper.stop()

  const after = turns
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(turns, after)
})
