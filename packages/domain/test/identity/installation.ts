import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { blobKeyOf, createGcsBlobStore, createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database } from '@filewright/db'
import { createId } from '@filewright/runtime'
import { createMigratedDatabase, startGcsServer, type TestDatabase } from '@filewright/testing'
import type { IdentityDeps } from '../../src/identity/establish.js'

export interface Records {
  database: Database
  server: TestDatabase
}

export async function openRecords(t: Test): Promise<Records> {
  const server = await createMigratedDatabase(migrate)
  // Generous: these tests are not about timing.
  const patience = { connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 }
  const database = createDatabase({ url: server.url, poolSize: 5, ...patience })
  t.teardown(async () => {
    await database.close()
    await server.stop()
  })
  return { database, server }
}

/** Each call returns a new empty store. */
export type OpenStore = (t: Test) => Promise<BlobStore>

export async function openFolder(t: Test): Promise<BlobStore & { root: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'fw-identity-'))
  const root = join(parent, 'blobs')
  const store = createLocalBlobStore({ root })
  t.teardown(async () => {
    await store.close()
    await rm(parent, { recursive: true, force: true })
  })
  return { ...store, root }
}

export async function openBucket(t: Test): Promise<BlobStore> {
  const server = await startGcsServer()
  t.teardown(async () => await server.close())
  return createGcsBlobStore({ bucket: server.bucket, apiEndpoint: server.endpoint, anonymous: true })
}

export function depsOf({ database }: Records, blobs: BlobStore): IdentityDeps {
  return {
    installation: database.installation,
    files: database.files,
    blobs,
    places: { store: 'bucket one', database: 'localhost/one' }
  }
}

export async function writeBlob(blobs: BlobStore, id: string): Promise<void> {
  await blobs.write(blobKeyOf(id), Readable.from([Buffer.from('0123456789')]))
}

/** A ready file of ten bytes, as after an upload. */
export async function storeFile({ files }: Database, blobs: BlobStore | null): Promise<string> {
  const id = createId()
  const leaseExpiresAt = new Date(Date.now() + 60_000)
  await files.insertPending({ id, blobKey: blobKeyOf(id), tokenId: null, leaseExpiresAt })
  await files.markScanning(id, {
    projectId: 'acme',
    name: 'a.txt',
    folder: '',
    description: null,
    sizeBytes: 10,
    sha256: 'x',
    type: 'text/plain',
    charset: null,
    kind: 'code',
    leaseExpiresAt
  })
  await files.publish(id, { engine: 'test/1', at: new Date() })
  if (blobs !== null) await writeBlob(blobs, id)
  return id
}

/** Everything that a wrong setting must leave unchanged. */
export async function everything({ server }: Records, ...stores: BlobStore[]): Promise<object> {
  const { rows } = await server.query('SELECT id, state, blob_key FROM files ORDER BY id')
  const blobs = await Promise.all(
    stores.map(async (store) => {
      const keys: string[] = []
      for await (const { key } of store.list()) keys.push(key)
      return { keys: keys.sort(), marker: await store.marker.read() }
    })
  )
  return { rows, blobs, installation: (await server.query('SELECT id, store_id FROM installation')).rows }
}
