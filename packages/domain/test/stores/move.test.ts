import { createHash } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import { AppError, createId, withDeadline } from '@filewright/runtime'
import { establishIdentity } from '../../src/identity/establish.js'
import { formatMarker, parseMarker } from '../../src/identity/identity.js'
import { createStoreGuard } from '../../src/identity/store-guard.js'
import { copyBlob } from '../../src/stores/copy-blob.js'
import { routedBlobs } from '../../src/stores/routed-blobs.js'
import { createStoreSet } from '../../src/stores/store-set.js'
import { depsOf, openFolder, openRecords, type Records } from '../identity/installation.js'

t.setTimeout(600_000)

const MOVE = 'move-1'
const TEXT = Buffer.from('0123456789')
const sha256 = createHash('sha256').update(TEXT).digest('hex')
const bytesOf = (): Readable => Readable.from([TEXT])
const silent = { info: () => {}, warn: () => {}, error: () => {} }

interface World {
  records: Records
  a: BlobStore & { root: string }
  b: BlobStore & { root: string }
  ids: { installation: string; a: string; b: string }
}

/** Two folders of one installation: `a` is the current one, and `b` is marked but no move is under way. */
async function openWorld(t: Test): Promise<World> {
  const records = await openRecords(t)
  const [a, b] = [await openFolder(t), await openFolder(t)]
  const { installation, store } = await establishIdentity(depsOf(records, a))
  const other = createId()
  await b.marker.create(formatMarker({ installation, store: other }))
  return { records, a, b, ids: { installation, a: store, b: other } }
}

const begin = async ({ records, ids }: World): Promise<void> => {
  await records.database.moves.begin({ moveId: MOVE, storeId: ids.a, mirrorId: ids.b })
}
const exchange = async ({ records }: World, storeId: string): Promise<string> =>
  await records.database.moves.switch({ storeId, moveId: MOVE })

function processOn({ records }: World, ...stores: [BlobStore, ...BlobStore[]]) {
  const [first, ...more] = stores.map((blobs, i) => ({ blobs, name: `store ${i}` }))
  const set = createStoreSet({ stores: [first!, ...more], installation: records.database.installation })
  return { set, blobs: routedBlobs(set) }
}

async function uploadTo({ records }: World, { blobs }: ReturnType<typeof processOn>): Promise<string | null> {
  const id = createId()
  const { files, moves } = records.database
  const place = await blobs.place()
  const { storeId, moveId } = place
  const leaseExpiresAt = new Date(Date.now() + 60_000)
  const row = { id, blobKey: blobKeyOf(id), tokenId: null, leaseExpiresAt, storeId, moveId }
  if (!(await files.insertPending(row))) return null
  await place.write(blobKeyOf(id), bytesOf())
  const isCopied = await place.mirror?.({ blobKey: blobKeyOf(id), sha256 })
  if (isCopied === false && !(await moves.unmark(id, storeId ?? ''))) return null
  await files.markScanning(id, {
    projectId: 'acme',
    name: 'a.txt',
    folder: '',
    description: null,
    sizeBytes: TEXT.length,
    sha256,
    type: 'text/plain',
    charset: null,
    kind: 'code',
    leaseExpiresAt
  })
  await files.publish(id, { engine: 'test/1', at: new Date() })
  return id
}

const isIn = async (store: BlobStore, id: string): Promise<boolean> =>
  (await store.stat(blobKeyOf(id))) !== null

t.test(
  'the current store is found in either order of the settings, before, during and after a move',
  async (t) => {
    const world = await openWorld(t)
    const { a, b, ids, records } = world
    const processes = [processOn(world, a, b), processOn(world, b, a)]
    const seen = async () =>
      await Promise.all(
        processes.map(async ({ set }) => {
          const { current, mirror, storeId, moveId } = await set.follow()
          return {
            current: current.blobs === a ? 'a' : 'b',
            mirror: mirror?.blobs === b ? 'b' : mirror && 'a',
            storeId,
            moveId
          }
        })
      )
    const both = (view: object) => [view, view]

    t.strictSame(await seen(), both({ current: 'a', mirror: null, storeId: ids.a, moveId: null }))
    await begin(world)
    t.strictSame(await seen(), both({ current: 'a', mirror: 'b', storeId: ids.a, moveId: MOVE }))
    t.equal(await exchange(world, ids.a), 'done')
    t.strictSame(await seen(), both({ current: 'b', mirror: 'a', storeId: ids.b, moveId: MOVE }))
    await records.database.moves.end(MOVE)
    t.strictSame(await seen(), both({ current: 'b', mirror: null, storeId: ids.b, moveId: null }))
  }
)

t.test('an upload during a move is in both stores, before and after the switch', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids } = world
  await begin(world)
  const gateway = processOn(world, a, b)

  const before = (await uploadTo(world, gateway))!
  t.equal(await exchange(world, ids.a), 'done')
  await gateway.set.follow()
  const after = (await uploadTo(world, gateway))!

  for (const id of [before, after]) t.strictSame([await isIn(a, id), await isIn(b, id)], [true, true])
  t.equal(await exchange(world, ids.b), 'done', 'and back')
})

t.test('a gateway that has not heard of the switch uploads nothing to the old store', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids } = world
  const unaware = processOn(world, a, b)
  await unaware.set.follow()
  await begin(world)
  const lagging = processOn(world, a, b)
  await lagging.set.follow()
  const alone = processOn(world, a)
  await alone.set.follow()
  await exchange(world, ids.a)

  for (const gateway of [unaware, lagging, alone]) t.equal(await uploadTo(world, gateway), null)

  await unaware.blobs.follow()
  t.equal(await isIn(b, (await uploadTo(world, unaware))!), true)
  await alone.blobs.follow()
  t.equal(await uploadTo(world, alone), null, 'it has only the old store')
})

t.test('an upload that was placed before the move began prevents the switch until it ends', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids, records } = world
  const gateway = processOn(world, a, b)
  const place = await gateway.set.follow().then(async () => await gateway.blobs.place())
  const id = createId()
  const row = { id, blobKey: blobKeyOf(id), tokenId: null, leaseExpiresAt: new Date(Date.now() + 60_000) }
  await records.database.files.insertPending({ ...row, storeId: place.storeId, moveId: place.moveId })
  await begin(world)

  t.equal(await exchange(world, ids.a), 'incomplete')
  await gateway.set.follow()
  await place.write(blobKeyOf(id), bytesOf())

  t.equal(await isIn(a, id), true, 'it goes where its row says, whatever the gateway has learned since')
  await copyBlob(a, b, { blobKey: blobKeyOf(id), sha256 })
  await records.database.files.markAbandoned(id)
  t.equal(await exchange(world, ids.a), 'done')
})

t.test('a read finds a file that was uploaded to the new store after a switch', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids } = world
  await begin(world)
  const [stale, fresh] = [processOn(world, a, b), processOn(world, b, a)]
  await stale.set.follow()
  await exchange(world, ids.a)
  const id = (await uploadTo(world, fresh))!
  // As if the copy for the old store had failed.
  await a.remove(blobKeyOf(id))

  t.match(await stale.blobs.stat(blobKeyOf(id)), { sizeBytes: TEXT.length })
  const reader = await processOn(world, a, b).blobs.open(blobKeyOf(id))
  t.equal(Buffer.from((await reader.next())!).toString(), TEXT.toString())
  await reader.close()
  await t.rejects(stale.blobs.open(blobKeyOf(createId())), { code: 'BLOB_NOT_FOUND' })
})

t.test('a full or unreachable target fails no upload, and prevents the switch', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids, records } = world
  await begin(world)
  let writes = 0
  const full: BlobStore = {
    ...b,
    write: async () => {
      writes++
      throw new AppError('STORAGE_UNAVAILABLE', 'disk full', { retryable: true })
    }
  }
  const gateway = processOn(world, a, full)
  await gateway.set.follow()

  const ids2 = [await uploadTo(world, gateway), await uploadTo(world, gateway)]

  t.notOk(ids2.includes(null))
  t.equal(writes, 1, 'it is left alone after a failure')
  t.equal(await exchange(world, ids.a), 'incomplete')
  t.equal((await records.database.moves.pageUncopied({ moveId: MOVE, after: '', limit: 10 })).length, 2)
})

t.test('an upload whose copy fails after the switch fails, because only the old store has it', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids } = world
  await begin(world)
  const full: BlobStore = {
    ...b,
    write: async () => {
      t.equal(await exchange(world, ids.a), 'done')
      throw new AppError('STORAGE_UNAVAILABLE', 'disk full', { retryable: true })
    }
  }
  const gateway = processOn(world, a, full)
  await gateway.set.follow()

  t.equal(await uploadTo(world, gateway), null)
})

t.test('a removal reaches both stores, and fails while one of them does not answer', async (t) => {
  const world = await openWorld(t)
  const { a, b } = world
  await begin(world)
  let isAway = true
  const flaky: BlobStore = {
    ...b,
    remove: async (key, options) => {
      if (isAway) throw new AppError('STORAGE_UNAVAILABLE', 'away', { retryable: true })
      return await b.remove(key, options)
    }
  }
  const set = createStoreSet({
    stores: [
      { blobs: a, name: 'a' },
      { blobs: flaky, name: 'b' }
    ],
    installation: world.records.database.installation
  })
  const blobs = routedBlobs(set, { pauseMs: 0 })
  const id = (await uploadTo(world, { set, blobs }))!

  await t.rejects(blobs.remove(blobKeyOf(id)), { code: 'STORAGE_UNAVAILABLE' })
  isAway = false
  t.equal(await blobs.remove(blobKeyOf(id)), true)
  t.strictSame([await isIn(a, id), await isIn(b, id)], [false, false])
})

t.test('nothing is written to or removed from a mirror whose marker is another one', async (t) => {
  const world = await openWorld(t)
  const { a, b, ids } = world
  await begin(world)
  const gateway = processOn(world, a, b)
  const kept = (await uploadTo(world, gateway))!
  await b.marker.replace(formatMarker({ installation: createId(), store: ids.b }))
  await gateway.set.follow()

  const id = (await uploadTo(world, gateway))!
  await gateway.blobs.remove(blobKeyOf(kept))

  t.strictSame([await isIn(b, id), await isIn(b, kept)], [false, true])
})

t.test('an unmounted target is not written to', async (t) => {
  const world = await openWorld(t)
  await begin(world)
  const gateway = processOn(world, world.a, world.b)
  await gateway.set.follow()
  await rename(world.b.root, `${world.b.root}-unmounted`)

  t.ok(await uploadTo(world, gateway))

  await t.rejects(readdir(world.b.root), { code: 'ENOENT' })
  t.equal(await exchange(world, world.ids.a), 'incomplete')
})

t.test('a guard closes a gateway that has only the store that is not the current one any more', async (t) => {
  const world = await openWorld(t)
  const { records, a, b, ids } = world
  const guardOn = async (...stores: [BlobStore, ...BlobStore[]]) => {
    const { set, blobs } = processOn(world, ...stores)
    const guard = createStoreGuard({ ...depsOf(records, blobs), follow: set.follow, logger: silent })
    t.teardown(guard.stop)
    await guard.begin()
    return guard
  }
  await begin(world)
  const [alone, both] = [await guardOn(a), await guardOn(a, b)]
  await t.rejects(guardOn(b), { code: 'STORE_MISMATCH' }, 'the target is not complete yet')
  await exchange(world, ids.a)

  await t.rejects(alone.look(), { code: 'STORE_MISMATCH' })
  t.throws(() => alone.assertOpen(), { code: 'STORE_MISMATCH' })
  await both.look()
  await both.verify()
  both.assertOpen()
  await guardOn(b)
  await t.rejects(guardOn(a), { code: 'STORE_MISMATCH' })
})

t.test(
  'two stores that do not answer are waited for, however many of them are not the current one',
  async (t) => {
    const world = await openWorld(t)
    const away = (blobs: BlobStore): BlobStore => ({
      ...blobs,
      marker: {
        ...blobs.marker,
        read: async () => {
          throw new AppError('STORAGE_UNAVAILABLE', 'away', { retryable: true })
        }
      }
    })

    await t.rejects(processOn(world, away(world.a), world.b).set.follow(), { code: 'STORAGE_UNAVAILABLE' })
    t.match(await processOn(world, away(world.b), world.a).set.follow(), { storeId: world.ids.a })
  }
)

t.test('the current store is not held up by another one that never answers', async (t) => {
  const world = await openWorld(t)
  const { records, ids } = world
  const hanging: BlobStore = {
    ...world.b,
    marker: { ...world.b.marker, read: async () => await new Promise<never>(() => {}) }
  }
  const { set, blobs } = processOn(world, world.a, hanging)
  const guard = createStoreGuard({ ...depsOf(records, blobs), follow: set.follow, logger: silent })
  t.teardown(guard.stop)

  await guard.begin()
  await withDeadline(async () => await guard.established, { ms: 8_000 })
  // As the health monitor does. A gateway that it reports as not ready gets no requests.
  await withDeadline(async (signal) => await guard.look(signal), { ms: 8_000 })
  guard.assertOpen()

  t.match(set.last(), { storeId: ids.a, mirror: null })
})

t.test('bytes that are not those of the record are not copied, and not taken for a copy', async (t) => {
  const { a, b } = await openWorld(t)
  const [id, other] = [createId(), createId()]
  const blob = { blobKey: blobKeyOf(id), sha256 }
  await a.write(blob.blobKey, Readable.from([Buffer.from('012345678X')]))
  await t.rejects(copyBlob(a, b, blob), { code: 'BLOB_CORRUPT', message: /source/ })
  t.equal(await isIn(b, id), false)

  const lying: BlobStore = {
    ...b,
    write: async (key) => await b.write(key, Readable.from([Buffer.from('bad')]))
  }
  await a.write(blobKeyOf(other), bytesOf())
  const good = { blobKey: blobKeyOf(other), sha256 }
  await t.rejects(copyBlob(a, lying, good, { verify: true }), { code: 'BLOB_CORRUPT', message: /target/ })
  await t.rejects(copyBlob(a, b, good), { code: 'BLOB_CORRUPT', message: /target/ }, 'there already')
  await b.remove(blobKeyOf(other))
  await copyBlob(a, b, good, { verify: true })
  await copyBlob(a, b, good, { verify: true })
})

t.test('both stores may be given the same secret', async (t) => {
  const { a, b } = await openWorld(t)
  const secret = await a.secret.ensure()
  await b.secret.ensure()

  await b.secret.replace(secret)

  t.strictSame(await b.secret.read(), secret)
  t.equal(parseMarker((await b.marker.read())!)?.store !== parseMarker((await a.marker.read())!)?.store, true)
})

t.test('a store among two signs no addresses: a file may be in either', async (t) => {
  const world = await openWorld(t)
  const { a, b } = world
  const signing: BlobStore = { ...a, address: async () => 'https://bucket.test/a' }
  const options = { seconds: 60, contentType: 'text/plain', contentDisposition: 'inline', cacheControl: '' }

  t.equal(
    await processOn(world, signing).blobs.address(blobKeyOf(createId()), options),
    'https://bucket.test/a'
  )
  t.equal(await processOn(world, signing, b).blobs.address(blobKeyOf(createId()), options), null)
})
