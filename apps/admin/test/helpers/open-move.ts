import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { blobKeyOf, createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { migrate } from '@filewright/db'
import { formatMarker, routedBlobs, type ConfiguredStore } from '@filewright/domain'
import { createId } from '@filewright/runtime'
import { createMigratedDatabase } from '@filewright/testing'
import { createAdapters } from '../../src/adapters.js'
import { runAdmin } from '../../src/admin.js'
import type { AdminAdapters } from '../../src/command.js'
import { patientStoreSet } from '../../src/configured-stores.js'
import { storeFile } from './store-file.js'

/** Two folders, one of which is the store of the database. */
export async function openMove(t: Test) {
  const server = await createMigratedDatabase(migrate)
  const root = await mkdtemp(join(tmpdir(), 'fw-move-'))
  const folders = { a: join(root, 'a'), b: join(root, 'b') }
  const env = { DATABASE_URL: server.url, BLOB_DIR: folders.a, SECOND_BLOB_DIR: folders.b }
  const closers: Array<() => Promise<void>> = []
  t.teardown(async () => {
    for (const close of closers) await close()
    await server.stop()
    await rm(root, { recursive: true, force: true })
  })
  const open = (more: Record<string, string> = {}) => {
    const adapters = createAdapters({ ...env, ...more })
    closers.push(adapters.close)
    return adapters
  }
  const adapters = open()
  const [a, b] = [createLocalBlobStore({ root: folders.a }), createLocalBlobStore({ root: folders.b })]
  closers.push(a.close, b.close)
  const database = adapters.database()
  const ids = { installation: createId(), a: createId() }
  await a.marker.create(formatMarker({ installation: ids.installation, store: ids.a }))
  await database.installation.replace({ id: ids.installation, storeId: ids.a })

  const store = async (content: string): Promise<string> => await storeFile(database, a, { content })

  async function run(args: string, given: AdminAdapters = open()) {
    const output = { code: 0, out: '', err: '' }
    output.code = await runAdmin(args.split(' '), {
      adapters: given,
      out: (text) => {
        output.out += text
      },
      err: (text) => {
        output.err += text
      },
      ask: undefined
    })
    return output
  }

  /** As `open`, with the target's calls replaced. */
  function openWith(change: (target: BlobStore) => Partial<BlobStore>): AdminAdapters {
    const made = open()
    const stores = made.stores().stores.map((each, i): ConfiguredStore => {
      return i === 0 ? each : { ...each, blobs: { ...each.blobs, ...change(each.blobs) } }
    }) as [ConfiguredStore, ...ConfiguredStore[]]
    const set = patientStoreSet(stores, made.database().installation)
    return { ...made, stores: () => set, blobs: () => routedBlobs(set) }
  }

  const copy = `store copy --to ${folders.b}`
  return { root, folders, adapters, database, a, b, ids, store, run, open, openWith, copy }
}

export async function contentOf(blobs: BlobStore, id: string): Promise<string | null> {
  if ((await blobs.stat(blobKeyOf(id))) === null) return null
  const pieces: Buffer[] = []
  for await (const piece of await blobs.read(blobKeyOf(id))) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
