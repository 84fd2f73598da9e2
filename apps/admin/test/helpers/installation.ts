import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { blobKeyOf, createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database } from '@filewright/db'
import { createId } from '@filewright/runtime'
import { createMigratedDatabase } from '@filewright/testing'

export interface Installation {
  database: Database
  blobs: BlobStore
  /** Stores a small text file as an upload would. Returns its id. */
  store: (file?: { project?: string; name?: string; content?: string; folder?: string }) => Promise<string>
  /** Bypasses the store, like a failing disk. */
  overwriteOnDisk: (id: string, content: Buffer) => Promise<void>
}

/** A real database and a real folder, without a gateway. */
export async function openInstallation(t: Test): Promise<Installation> {
  const server = await createMigratedDatabase(migrate)
  const root = await mkdtemp(join(tmpdir(), 'fw-admin-'))
  // Generous deadlines: these tests are not about timing.
  const database = createDatabase({
    url: server.url,
    poolSize: 5,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 30_000
  })
  const blobs = createLocalBlobStore({ root })
  t.teardown(async () => {
    await blobs.close()
    await database.close()
    await server.stop()
    await rm(root, { recursive: true, force: true })
  })

  return {
    database,
    blobs,
    store: async ({ project = 'acme', name = 'notes.txt', content = 'hello\n', folder = '' } = {}) => {
      const id = createId()
      const blobKey = blobKeyOf(id)
      const leaseExpiresAt = new Date(Date.now() + 60_000)
      await database.files.insertPending({ id, blobKey, tokenId: null, leaseExpiresAt })
      await blobs.write(blobKey, Readable.from([Buffer.from(content)]))
      await database.files.markScanning(id, {
        projectId: project,
        name,
        folder,
        description: null,
        sizeBytes: Buffer.byteLength(content),
        sha256: createHash('sha256').update(content).digest('hex'),
        type: 'text/plain',
        charset: null,
        kind: 'code',
        leaseExpiresAt
      })
      await database.files.markReady(id, { engine: 'test/1', at: new Date() })
      return id
    },
    overwriteOnDisk: async (id, content) => {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && entry.name.includes(id)) {
          await writeFile(join(entry.parentPath, entry.name), content)
        }
      }
    }
  }
}
