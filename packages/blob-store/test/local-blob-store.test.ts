import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLocalBlobStore, type BlobStore } from '../src/index.js'
import { blobStoreContract } from './blob-store.contract.js'

async function createStore(t: Test): Promise<BlobStore> {
  const root = await mkdtemp(join(tmpdir(), 'filewright-blobs-'))
  const store = createLocalBlobStore({ root: join(root, 'deep', 'blobs') })
  t.teardown(async () => {
    await store.close()
    const leftovers = await readdir(join(root, 'deep', 'blobs', 'tmp')).catch(() => [])
    await rm(root, { recursive: true })
    if (leftovers.length > 0) throw new Error(`temporary files were left: ${leftovers.join()}`)
  })
  return store
}

t.setTimeout(600_000)
blobStoreContract(t, createStore)
