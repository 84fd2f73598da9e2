import { Readable } from 'node:stream'
import t from 'tap'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import { routedBlobs, type ConfiguredStore } from '@filewright/domain'
import { AppError, createId } from '@filewright/runtime'
import type { AdminAdapters } from '../src/command.js'
import { patientStoreSet } from '../src/configured-stores.js'
import { openMove } from './helpers/open-move.js'

t.setTimeout(600_000)

t.test("a project's storage class is tried first, and goes along with its files", async (t) => {
  const { store, run, copy, open, database } = await openMove(t)
  await store('one')
  const classOf = async (): Promise<unknown> => (await database.quotas.ofProject('acme')).storageClass
  const placements: unknown[] = []
  /** Both stores note the placement of each write. Some refuse a class, as servers do that do not know it. */
  function withClasses(refused: { first?: string; second?: string }, env = {}): AdminAdapters {
    const made = open(env)
    const stores = made.stores().stores.map((each, i): ConfiguredStore => {
      const { blobs } = each
      const write: BlobStore['write'] = async (key, source, options) => {
        const { storageClass } = options?.placement ?? {}
        placements.push(options?.placement)
        if (storageClass !== undefined && storageClass === (i === 0 ? refused.first : refused.second)) {
          throw new AppError('STORAGE_UNAVAILABLE', 'InvalidStorageClass')
        }
        return await blobs.write(key, source, options)
      }
      const probe: BlobStore['probe'] = async (_signal, placement) => {
        const key = blobKeyOf(createId())
        await write(key, Readable.from([Buffer.from('x')]), { placement })
        await blobs.remove(key)
      }
      return { ...each, blobs: { ...blobs, write, probe } }
    }) as [ConfiguredStore, ...ConfiguredStore[]]
    const set = patientStoreSet(stores, made.database().installation)
    return { ...made, stores: () => set, blobs: () => routedBlobs(set) }
  }

  t.match(await run('project storage-class acme'), { code: 0, out: /the bucket's own class/ })
  t.match(await run('project storage-class acme --class icy'), {
    code: 2,
    err: /--class must be standard, cool, cold/
  })
  t.match(await run('project storage-class acme --class cool', withClasses({ first: 'cool' })), {
    code: 1,
    out: /takes no files of the class cool: InvalidStorageClass. Nothing was changed/
  })
  t.equal(await classOf(), null, 'nothing was changed')
  t.match(await run('project storage-class acme --class cool', withClasses({})), {
    code: 0,
    out: /the class cool\nA folder has no classes/
  })
  t.match(await run('project storage-class acme'), { code: 0, out: /the class cool$/ })
  t.match(await run('project storage-class acne --class default'), { code: 0, out: /no upload yet/ })
  t.equal(await classOf(), 'cool')

  t.match(await run(copy, withClasses({ second: 'cool' })), { code: 3, err: /storage class cool/ })
  placements.length = 0
  t.match(await run(copy, withClasses({})), { code: 0 })
  t.match(placements.at(-1), { storageClass: 'cool', projectId: 'acme', fileId: /./ })
  t.match(await run('project storage-class acme --class cold', withClasses({ second: 'cold' })), { code: 1 })
  t.match(await run('project storage-class acme --class default'), { code: 0, out: /the bucket's own/ })
  t.equal(await classOf(), null)
})
