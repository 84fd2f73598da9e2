import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import { AppError, createId, createLogger } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createStoreGuard, guardedBlobs, type StoreGuard } from '../../src/identity/store-guard.js'
import { establishIdentity, type IdentityDeps } from '../../src/identity/establish.js'
import { formatMarker } from '../../src/identity/identity.js'
import { depsOf, openFolder, openRecords } from './installation.js'

t.setTimeout(600_000)

const logger = createLogger({ name: 'test', level: 'silent' })

function guardOf(t: Test, deps: IdentityDeps): StoreGuard {
  const guard = createStoreGuard({ ...deps, follow: async () => {}, logger })
  t.teardown(guard.stop)
  return guard
}

async function begun(t: Test) {
  const records = await openRecords(t)
  const blobs = await openFolder(t)
  const guard = guardOf(t, depsOf(records, blobs))
  await guard.begin()
  return { records, blobs, guard }
}

t.test('a store is closed until it has been compared, and open afterwards', async (t) => {
  const records = await openRecords(t)
  const guard = guardOf(t, depsOf(records, await openFolder(t)))

  t.throws(() => guard.assertOpen(), { code: 'STORAGE_UNAVAILABLE', message: /not compared/ })
  await guard.begin()

  guard.assertOpen()
  await guard.established
  await guard.look()
  await guard.verify()
})

t.test('starts without an unreachable database, stays closed, and continues when it is back', async (t) => {
  const deps = depsOf(await openRecords(t), await openFolder(t))
  let isAway = true
  const find: IdentityDeps['installation']['find'] = async () => {
    if (isAway) throw new AppError('DATABASE_UNAVAILABLE', 'connection refused', { retryable: true })
    return await deps.installation.find()
  }
  const guard = guardOf(t, { ...deps, installation: { ...deps.installation, find } })

  await guard.begin()

  t.throws(() => guard.assertOpen(), { code: 'STORAGE_UNAVAILABLE', message: /connection refused/ })
  await t.rejects(guard.verify(), { code: 'STORAGE_UNAVAILABLE' })
  isAway = false
  await guard.established
  guard.assertOpen()
})

t.test(
  'a database of another installation ends the start, at once or when it becomes reachable',
  async (t) => {
    const blobs = await openFolder(t)
    await establishIdentity(depsOf(await openRecords(t), blobs))
    const deps = depsOf(await openRecords(t), blobs)
    let isAway = true
    const late = guardOf(t, {
      ...deps,
      installation: {
        ...deps.installation,
        find: async () => {
          if (isAway) throw new AppError('DATABASE_UNAVAILABLE', 'connection refused', { retryable: true })
          return await deps.installation.find()
        }
      }
    })

    await t.rejects(guardOf(t, deps).begin(), { code: 'STORE_MISMATCH' })
    await late.begin()
    isAway = false
    await t.rejects(late.established, { code: 'STORE_MISMATCH' })
  }
)

t.test('a store whose disk is unmounted is closed at the next check, until the disk is back', async (t) => {
  const { blobs, guard } = await begun(t)
  await rename(blobs.root, `${blobs.root}-unmounted`)

  await t.rejects(guard.look(), { code: 'STORE_MISMATCH', message: /has no marker/ })

  t.throws(() => guard.assertOpen(), { code: 'STORE_MISMATCH' })
  await t.rejects(guard.verify(), { code: 'STORE_MISMATCH' })
  await rename(`${blobs.root}-unmounted`, blobs.root)
  await guard.look()
  guard.assertOpen()
})

t.test('a store that is replaced by that of another installation is closed', async (t) => {
  const { blobs, guard } = await begun(t)
  await blobs.marker.replace(formatMarker({ installation: createId(), store: createId() }))

  await t.rejects(guard.verify(), { code: 'STORE_MISMATCH', message: /belongs to installation/ })
  t.throws(() => guard.assertOpen(), { code: 'STORE_MISMATCH' })
})

t.test('a store that an operator has adopted in the meantime stays open', async (t) => {
  const { records, blobs, guard } = await begun(t)
  const adopted = { installation: createId(), store: createId() }
  await blobs.marker.replace(formatMarker(adopted))
  await records.database.installation.replace({ id: adopted.installation, storeId: adopted.store })

  await guard.look()
  guard.assertOpen()
})

t.test('an unreachable store is neither closed nor opened', async (t) => {
  const deps = depsOf(await openRecords(t), await openFolder(t))
  const disk = { fails: false }
  const read: BlobStore['marker']['read'] = async (options) => {
    if (disk.fails) throw new AppError('STORAGE_UNAVAILABLE', 'EIO', { retryable: true })
    return await deps.blobs.marker.read(options)
  }
  const guard = guardOf(t, { ...deps, blobs: { ...deps.blobs, marker: { ...deps.blobs.marker, read } } })
  await guard.begin()
  disk.fails = true

  await t.rejects(guard.look(), { code: 'STORAGE_UNAVAILABLE' })
  await t.rejects(guard.verify(), { code: 'STORAGE_UNAVAILABLE' })

  guard.assertOpen()
})

t.test('nothing is written to a closed store, and the source stream is destroyed', async (t) => {
  const blobs = await openFolder(t)
  const key = blobKeyOf(createId())
  await blobs.write(key, Readable.from([Buffer.from('bytes')]))
  const closed = guardedBlobs(blobs, {
    assertOpen: () => {
      throw new AppError('STORE_MISMATCH', 'closed')
    }
  })
  const source = Readable.from([Buffer.from('more')])

  await t.rejects(closed.write(blobKeyOf(createId()), source), { code: 'STORE_MISMATCH' })
  await t.rejects(closed.read(key), { code: 'STORE_MISMATCH' })
  await t.rejects(closed.open(key), { code: 'STORE_MISMATCH' })
  await t.rejects(closed.remove(key), { code: 'STORE_MISMATCH' })

  await poll(() => source.destroyed)
  t.ok(await blobs.stat(key))
})
