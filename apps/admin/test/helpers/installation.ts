import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database } from '@filewright/db'
import { createMigratedDatabase } from '@filewright/testing'
import { storeFile, type SmallFile } from './store-file.js'

export interface Installation {
  database: Database
  blobs: BlobStore
  /** Stores a small text file as an upload would. Returns its id. */
  store: (file?: SmallFile) => Promise<string>
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
    store: async (file = {}) => await storeFile(database, blobs, file),
    overwriteOnDisk: async (id, content) => {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && entry.name.includes(id)) {
          await writeFile(join(entry.parentPath, entry.name), content)
        }
      }
    }
  }
}
