import { createId } from '@filewright/runtime'
import {
  createDatabase,
  migrate,
  type Database,
  type ReadyFileRecord,
  type ScannedUpload
} from '../../src/index.js'
import { createMigratedDatabase, type TestDatabase as Server } from '@filewright/testing'

export interface TestDatabase {
  db: Database
  server: Server
}

/** Structural, so that both the root and a subtest match. */
export interface TestScope {
  teardown: (stop: () => Promise<void>) => unknown
}

/**
 * The caller's own migrated database. Generous deadlines: these tests are not about timing.
 * @param options `isShared: false` for tests of events, which become visible when every older transaction of the
 * server has ended
 */
export async function openDatabase(
  t: TestScope,
  options: { isShared?: boolean } = {}
): Promise<TestDatabase> {
  const server = await createMigratedDatabase(migrate, options)
  const db = createDatabase({ url: server.url, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  t.teardown(async () => {
    await db.close()
    await server.stop()
  })
  return { db, server }
}

export function uploadOf(projectId: string, overrides: Partial<ScannedUpload> = {}): ScannedUpload {
  return {
    projectId,
    name: 'report.txt',
    folder: '',
    description: null,
    sizeBytes: 10,
    sha256: 'a'.repeat(64),
    type: 'text/plain',
    kind: 'document',
    charset: null,
    leaseExpiresAt: inMinutes(1),
    ...overrides
  }
}

export async function insertPending(db: Database, leaseExpiresAt = inMinutes(1)): Promise<string> {
  const id = createId()
  await db.files.insertPending({ id, blobKey: `blobs/${id}`, tokenId: 'token-1', leaseExpiresAt })
  return id
}

export async function insertScanning(
  db: Database,
  projectId: string,
  overrides: Partial<ScannedUpload> = {}
): Promise<string> {
  const id = await insertPending(db)
  await db.files.markScanning(id, uploadOf(projectId, overrides))
  return id
}

export async function insertReady(
  db: Database,
  projectId: string,
  overrides: Partial<ScannedUpload> & { at?: Date } = {}
): Promise<ReadyFileRecord> {
  const { at = new Date(), ...upload } = overrides
  const id = await insertScanning(db, projectId, upload)
  const { file } = await db.files.publish(id, { engine: 'ClamAV 1.4', at })
  if (file === null) throw new Error(`${id} did not become ready`)
  return file
}

export function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}

/** Calls it twenty times at once and counts the winners. */
export async function winners(attempt: () => Promise<boolean>): Promise<number> {
  const results = await Promise.all(Array.from({ length: 20 }, attempt))
  return results.filter(Boolean).length
}
