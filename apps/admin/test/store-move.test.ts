import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { compareIdentity, formatMarker } from '@filewright/domain'
import { AppError, createId } from '@filewright/runtime'
import type { AdminAdapters } from '../src/command.js'
import { contentOf, openMove } from './helpers/open-move.js'

t.setTimeout(600_000)

t.test('files move to another store and back, and the identity says where they are', async (t) => {
  const { a, b, store, run, copy, folders, open } = await openMove(t)
  const kept = await Promise.all(Array.from({ length: 250 }, async (_, i) => await store(`file ${i}`)))
  const isOwn = async (env: Record<string, string>): Promise<boolean> => {
    const { database, places, blobs } = open({ SECOND_BLOB_DIR: '', ...env })
    const found = await compareIdentity({
      installation: database().installation,
      blobs: blobs(),
      places: places()
    })
    return found.kind === 'same'
  }
  const owners = async () => [await isOwn({}), await isOwn({ BLOB_DIR: folders.b })]

  const copied = await run(copy)
  t.match(copied, { code: 0, out: /250 files copied and compared. 250 of 250/ })
  t.strictSame(await owners(), [true, false])
  t.match(await run(copy), { code: 0, out: /^0 files copied/ }, 'again: nothing is left')
  for (const [i, id] of kept.entries()) t.equal(await contentOf(b, id), `file ${i}`)
  t.strictSame(await b.secret.read(), await a.secret.read())

  t.match(await run('store switch'), { code: 0, out: /is the current store/ })
  t.strictSame(await owners(), [false, true])
  t.match(await run('store show'), { code: 0, out: /has all 250 files[^]*has 250 of them/ })
  t.match(await run('store switch'), { code: 0 }, 'back')
  t.strictSame(await owners(), [true, false])
  t.match(await run('store switch'), { code: 0 })
  t.match(await run('store finish'), { code: 0, out: /is the only store/ })
  t.match(await run('store switch'), { code: 3, out: /No move/ })
  t.match(await run('store finish'), { code: 3, out: /No move/ })

  t.match(await run(`store copy --to ${folders.a}`), { code: 0, out: /250 of 250/ }, 'a second move, back')
  t.match(await run('store switch'), { code: 0 })
  t.strictSame(await owners(), [true, false])
  t.match(await run('reconcile', open({ SECOND_BLOB_DIR: '' })), { code: 0 })
})

t.test('the target must be a store of this installation, or an empty one', async (t) => {
  const { root, b, run, copy, folders, open, store, ids } = await openMove(t)
  await store('one')
  await symlink(folders.a, join(root, 'link'))

  t.match(await run('store copy'), { code: 2, err: /needs --to/ })
  t.match(await run('store copy --to s3://bucket'), { code: 2, err: /but the settings name/ })
  t.match(await run(copy, open({ SECOND_BLOB_DIR: '' })), { code: 2, err: /SECOND_/ })
  t.match(await run(`store copy --to ${folders.a}`), { code: 3, err: /current store already/ })
  const link = join(root, 'link')
  t.match(await run(`store copy --to ${link}`, open({ SECOND_BLOB_DIR: link })), {
    code: 3,
    err: /another name/
  })
  for (const near of [join(folders.a, 'new'), join(link, 'tmp'), root]) {
    t.match(await run(`store copy --to ${near}`, open({ SECOND_BLOB_DIR: near })), {
      code: 3,
      err: /inside the other/
    })
  }
  await b.write(blobKeyOf(createId()), Readable.from([Buffer.from('x')]))
  t.match(await run(copy), { code: 3, err: /no marker/ })
  await b.marker.create(formatMarker({ installation: createId(), store: createId() }))
  t.match(await run(copy), { code: 3, err: /another installation/ })
  await b.marker.replace(formatMarker({ installation: ids.installation, store: createId() }))
  t.match(await run(copy), { code: 0 })
  const c = join(root, 'c')
  t.match(await run(`store copy --to ${c}`, open({ SECOND_BLOB_DIR: c })), {
    code: 3,
    err: /not the other store of this move.*store finish/
  })
  t.match(await run('reconcile --fix'), { code: 3, out: /move to another store/ })
})

t.test('a copy that is killed anywhere continues', async (t) => {
  const { a, b, ids, store, run, copy, openWith, database } = await openMove(t)
  const stored = await Promise.all(['one', 'two', 'three'].map(store))
  const kill = async (): Promise<never> => {
    throw new Error('killed')
  }
  const killedAt: Record<string, () => AdminAdapters> = {
    'before the marker': () => openWith(({ marker }) => ({ marker: { ...marker, create: kill } })),
    'before the secret': () => openWith(({ secret }) => ({ secret: { ...secret, replace: kill } })),
    'before the move begins': () => {
      const made = openWith(() => ({}))
      return { ...made, database: () => ({ ...database, moves: { ...database.moves, begin: kill } }) }
    },
    'before the first file': () => openWith(() => ({ write: kill })),
    'before a file is recorded': () => {
      const made = openWith(() => ({}))
      return { ...made, database: () => ({ ...database, moves: { ...database.moves, markCopied: kill } }) }
    },
    'before a copy is read back': () => openWith(() => ({ open: kill }))
  }
  for (const [where, adapters] of Object.entries(killedAt)) {
    await t.rejects(run(copy, adapters()), { message: 'killed' }, where)
    t.match(await database.installation.find(), { storeId: ids.a }, 'the old store is the current one')
  }
  for (const id of stored) t.ok(await contentOf(a, id))
  t.match(await run(copy), { code: 0 })
  for (const id of stored) t.equal(await contentOf(b, id), await contentOf(a, id))
})

t.test('a file that is deleted or withdrawn while it is copied leaves nothing in the target', async (t) => {
  const { a, b, store, run, copy, openWith, database } = await openMove(t)
  const [deleted, withdrawn] = [await store('one'), await store('two')]
  const { files } = database
  const adapters = openWith((target) => ({
    write: async (key, source, options) => {
      // The whole removal happens before the copy is there.
      if (key === blobKeyOf(deleted)) {
        await files.markDeleting(deleted)
        await Promise.all([a.remove(key), target.remove(key)])
        await files.remove(deleted)
      } else {
        await files.markQuarantined(withdrawn, { engine: 'x', signature: 'v', at: new Date() }, 'stored')
        await Promise.all([a.remove(key), target.remove(key)])
        await files.clearBlob(withdrawn)
      }
      return await target.write(key, source, options)
    }
  }))

  t.match(await run(copy, adapters), { code: 0, out: /^0 files copied/ })

  t.strictSame([await contentOf(b, deleted), await contentOf(b, withdrawn)], [null, null])
})

t.test(
  'a file whose row disappears between its copy and the record is removed from the target',
  async (t) => {
    const { b, store, run, copy, openWith, database } = await openMove(t)
    const id = await store('one')
    const made = openWith(() => ({}))
    const markCopied: typeof database.moves.markCopied = async (fileId, moveId) => {
      t.equal(await contentOf(b, id), 'one')
      await database.files.markTrashed(id)
      await database.trash.markDeleting(id)
      return await database.moves.markCopied(fileId, moveId)
    }

    await run(copy, { ...made, database: () => ({ ...database, moves: { ...database.moves, markCopied } }) })

    t.equal(await contentOf(b, id), null)
  }
)

t.test('a store that does not answer is named, and the move goes on when it is back', async (t) => {
  const { store, run, openWith, copy, folders } = await openMove(t)
  await store('x')
  t.match(await run(copy), { code: 0 })
  const silent = (): AdminAdapters =>
    openWith(({ marker }) => ({
      marker: {
        ...marker,
        read: async () => {
          throw new AppError('STORAGE_UNAVAILABLE', 'connect ECONNREFUSED')
        }
      }
    }))
  const problem = `its other store cannot be used now: folder ${folders.b}: connect ECONNREFUSED`

  const again = await run(copy, silent())
  t.equal(again.code, 3)
  t.match(again.out + again.err, problem)
  const switched = await run('store switch', silent())
  t.equal(switched.code, 3)
  t.match(switched.out + switched.err, problem)
  t.match(await run('store show', silent()), { code: 0, out: /It cannot be used now: folder .*ECONNREFUSED/ })
  t.match(await run('store switch'), { code: 0 })
})

t.test('a store that answers late is not taken for one that is gone', async (t) => {
  const { store, run, openWith, copy } = await openMove(t)
  await store('x')
  t.match(await run(copy), { code: 0 })
  const late = openWith(({ marker }) => ({
    marker: {
      ...marker,
      read: async (options) => {
        await sleep(3_500)
        return await marker.read(options)
      }
    }
  }))

  t.match(await run('store switch', late), { code: 0, out: /is the current store/ })
})

t.test('a store that lies gets no switch', async (t) => {
  const { b, store, run, copy, openWith } = await openMove(t)
  const id = await store('one')
  const forgets = openWith(() => ({ write: async () => ({ sizeBytes: 3 }) }))
  t.match(await run(copy, forgets), { code: 1, out: /cannot be copied/ })
  const garbles = openWith((target) => ({
    write: async (key) => await target.write(key, Readable.from([Buffer.from('two')]))
  }))
  t.match(await run(copy, garbles), {
    code: 1,
    out: /the target has other bytes[^]*is intact: remove the named blob/
  })
  t.match(await run('store switch'), { code: 3, out: /Nothing was switched/ })
  await b.remove(blobKeyOf(id))
  t.match(await run(copy), { code: 0 })

  await b.remove(blobKeyOf(id))

  t.match(await run('store switch'), { code: 0, err: /1 files are not in/ }, 'copied again before the switch')
  t.equal(await contentOf(b, id), 'one')
})

t.test('a damaged file is named and prevents the switch until somebody deletes it', async (t) => {
  const { a, store, run, copy, database } = await openMove(t)
  const [good, damaged, lost] = [await store('one'), await store('two'), await store('three')]
  await a.remove(blobKeyOf(damaged))
  await a.write(blobKeyOf(damaged), Readable.from([Buffer.from('2wo')]))
  await a.remove(blobKeyOf(lost))

  const copied = await run(copy)

  t.equal(copied.code, 1)
  t.ok(copied.out.includes(damaged) && copied.out.includes(lost) && !copied.out.includes(good))
  t.match(await run('store switch'), { code: 3 })
  for (const id of [damaged, lost]) await database.files.markDeleting(id)
  t.match(await run('store switch'), { code: 0 })
})
