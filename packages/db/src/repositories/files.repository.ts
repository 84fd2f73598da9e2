import type { Client } from '../client.js'
import type { FileRecord, FileState, ReadyFileRecord, StoredFileRecord } from '../records.js'
import type { RunStatement } from '../statements.js'
import { NO_TOKEN, type Turns } from '../turns.js'
import { listQuery, type ListOptions, type ListRow } from './files.list.js'
import {
  asReady,
  asStored,
  type FileChanges,
  type NewFile,
  type RefusedUpload,
  type ScannedUpload
} from './files.queries.js'
import { change, type FileBatches } from './files.statements.js'
import { createPublish, type Publish } from './publish.js'
import { withdrawQuery, type KeyHolder } from './idempotency.queries.js'

export interface FilesRepository {
  /** False, and nothing inserted, if the store is no longer the current one. */
  insertPending: (file: NewFile) => Promise<boolean>
  /** pending → scanning; the project exists from this point on. */
  markScanning: (id: string, upload: ScannedUpload) => Promise<boolean>
  /**
   * scanning → ready. With a key, the file and the response are completed together or not at all. Quotas are
   * exact even for concurrent uploads.
   */
  publish: Publish
  /** scanning → quarantined. From `stored`: ready or in the trash, after a later scan found malware. */
  markQuarantined: (
    id: string,
    verdict: { engine: string; signature: string | null; at: Date; rejection?: string | null },
    from?: 'scanning' | 'stored'
  ) => Promise<boolean>
  /** pending or scanning → abandoned. */
  markAbandoned: (id: string) => Promise<boolean>
  /**
   * pending, scanning, ready or trashed → abandoned, for a failed upload; also frees its key. Returns the
   * resulting state, or null without a row. A file that a retry already received under the key stays.
   */
  withdraw: (
    id: string,
    options?: { holder?: KeyHolder | undefined; refusal?: RefusedUpload | undefined }
  ) => Promise<FileState | null>
  findReady: (id: string) => Promise<ReadyFileRecord | null>
  /** The project of a file that new signatures withdrew after it was stored; null for every other id. */
  findWithdrawn: (id: string) => Promise<{ projectId: string } | null>
  /** In any state, for operators. */
  findById: (id: string) => Promise<(FileRecord & { trashedAt: Date | null }) | null>
  /** Ready or in the trash. */
  findStored: (id: string) => Promise<StoredFileRecord | null>
  /** Stored files by id, after the given one. Iterates over all files with one page in memory. */
  pageStored: (options: { after: string; limit: number }) => Promise<StoredFileRecord[]>
  /** Ready files only. Waits for the requesting token's turn. */
  list: (options: ListOptions, tokenId?: string) => Promise<{ files: ReadyFileRecord[]; total: number }>
  /** Changes a ready file, in the requesting token's turn. Null if there is none. */
  change: (id: string, changes: FileChanges, tokenId: string) => Promise<ReadyFileRecord | null>
  /** ready → deleting. */
  markDeleting: (id: string) => Promise<boolean>
  /** ready → trashed. */
  markTrashed: (id: string) => Promise<boolean>
  /** Deletes a row in `deleting` or `abandoned`. */
  remove: (id: string) => Promise<boolean>
  /** Records that the blob was removed. A quarantined row keeps its verdict. */
  clearBlob: (id: string) => Promise<void>
  /** Unfinished uploads whose lease has expired, longest expired first. */
  findExpired: (now: Date, limit: number) => Promise<FileRecord[]>
  /** Finished rows whose blob may still be stored. */
  findWithDoomedBlob: (limit: number) => Promise<FileRecord[]>
  /** Deletes quarantined rows that only contain an old verdict, oldest first. Returns their number. */
  removeRefused: (options: { scannedBefore: Date; limit: number }) => Promise<number>
  /** Ids without a row are absent from the map. */
  findStates: (ids: string[]) => Promise<Map<string, FileState>>
  /** Those ids whose row owns a blob. A row whose blob was removed never owns one again. */
  findOwners: (ids: string[]) => Promise<Set<string>>
}

const isStored = { state: { in: ['ready', 'trashed'] } }

// The state column contains no other values: this module is its only writer.
const asRecords = (rows: Array<Omit<FileRecord, 'state'> & { state: string }>): FileRecord[] =>
  rows as FileRecord[]

export function createFilesRepository(
  client: Client,
  run: RunStatement,
  batches: FileBatches,
  turns: Turns
): FilesRepository {
  return {
    insertPending: batches.insertPending,

    markScanning: async (id, upload) => await batches.markScanning({ id, upload }),

    publish: createPublish({ client, run, batches, turns }),

    markQuarantined: async (id, { engine, signature, at, rejection = null }, from = 'scanning') => {
      const { count } = await client.file.updateMany({
        where: { id, state: { in: from === 'stored' ? ['ready', 'trashed'] : [from] } },
        data: { state: 'quarantined', leaseExpiresAt: null, engine, signature, scannedAt: at, rejection }
      })
      return count === 1
    },

    markAbandoned: async (id) => await batches.markAbandoned({ id }),

    withdraw: async (id, { holder, refusal } = {}) => {
      const won =
        holder === undefined
          ? await batches.withdraw({ id, refusal })
          : (await turns.take(
              holder.tokenId,
              async () => await client.$executeRaw(withdrawQuery(id, holder, refusal))
            )) === 1
      if (won) return 'abandoned'
      const row = await client.file.findUnique({ where: { id }, select: { state: true } })
      return row === null ? null : (row.state as FileState)
    },

    findReady: async (id) => {
      const row = await batches.findReady(id)
      return row === null ? null : asReady(row)
    },

    findWithdrawn: async (id) => await batches.findWithdrawn(id),

    findById: async (id) => {
      const row = await client.file.findUnique({ where: { id } })
      return row as (FileRecord & { trashedAt: Date | null }) | null
    },

    findStored: async (id) => {
      const row = await client.file.findUnique({ where: { id, ...isStored } })
      return row === null ? null : asStored(row)
    },

    pageStored: async ({ after, limit }) => {
      const rows = await client.file.findMany({
        where: { ...isStored, id: { gt: after } },
        orderBy: { id: 'asc' },
        take: limit
      })
      return rows.map(asStored)
    },

    list: async (options, tokenId = NO_TOKEN) => {
      const { values, ...statement } = listQuery(options)
      const rows = await turns.take(tokenId, async () => await run<ListRow>(statement, values))
      const files: ReadyFileRecord[] = []
      for (const { total, id, ...row } of rows) {
        if (id !== null) files.push(asReady({ id, ...row }))
      }
      return { files, total: rows[0]?.total ?? 0 }
    },

    change: async (id, { name, folder }, tokenId) => {
      const values = [id, name ?? null, folder ?? null]
      const [row] = await turns.take(
        tokenId,
        async () => await run<FileRecord & Record<string, unknown>>(change, values)
      )
      return row === undefined ? null : asReady(row)
    },

    markDeleting: async (id) => await batches.markDeleting({ id }),

    markTrashed: async (id) => await batches.markTrashed({ id }),

    remove: async (id) => await batches.remove({ id }),

    clearBlob: async (id) => {
      await client.file.updateMany({ where: { id }, data: { blobKey: null } })
    },

    findExpired: async (now, limit) =>
      asRecords(
        await client.file.findMany({
          where: { state: { in: ['pending', 'scanning'] }, leaseExpiresAt: { lt: now } },
          orderBy: { leaseExpiresAt: 'asc' },
          take: limit
        })
      ),

    findWithDoomedBlob: async (limit) =>
      asRecords(
        await client.file.findMany({
          where: { state: { in: ['deleting', 'abandoned', 'quarantined'] }, blobKey: { not: null } },
          orderBy: { createdAt: 'asc' },
          take: limit
        })
      ),

    removeRefused: async ({ scannedBefore, limit }) =>
      await client.$executeRaw`
      DELETE FROM files WHERE id IN (
        SELECT id FROM files WHERE state = 'quarantined' AND blob_key IS NULL AND scanned_at < ${scannedBefore}
        ORDER BY scanned_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )`,

    findStates: async (ids) => {
      const rows = await client.file.findMany({
        where: { id: { in: ids } },
        select: { id: true, state: true }
      })
      return new Map(rows.map(({ id, state }) => [id, state as FileState]))
    },

    findOwners: async (ids) => {
      const rows = await client.file.findMany({
        where: { id: { in: ids }, blobKey: { not: null } },
        select: { id: true }
      })
      return new Set(rows.map(({ id }) => id))
    }
  }
}
