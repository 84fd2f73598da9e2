import { Prisma } from '../client.js'
import type { FileRecord, ReadyFileRecord } from '../records.js'
import { columnList } from './files.columns.js'

/** A kind, an exact media type, or how the media type begins (`image/`). */
export type FileFilter = { kind: string } | { type: string } | { typePrefix: string }

export interface ListOptions {
  projectId: string
  /** Exactly this folder; the whole project when absent. */
  folder?: string
  filter?: FileFilter
  /** From 1. */
  page: number
  limit: number
}

export interface ScannedUpload {
  projectId: string
  name: string
  folder: string
  description: string | null
  sizeBytes: number
  sha256: string
  type: string
  kind: string
  leaseExpiresAt: Date
}

export const columns = Prisma.raw(columnList)

function matching (filter: FileFilter): Prisma.Sql {
  if ('kind' in filter) return Prisma.sql`AND kind = ${filter.kind}`
  if ('type' in filter) return Prisma.sql`AND type = ${filter.type}`
  return Prisma.sql`AND starts_with(type, ${filter.typePrefix})`
}

export type ListRow = Omit<ReadyFileRecord, 'id'> & { id: string | null, total: number }

/**
 * The page and the total from one snapshot, in one round trip. The literal 'ready' lets the planner use the partial indexes.
 * The total comes even when the page is empty: then as one row of nulls.
 */
export function listQuery ({ projectId, folder, filter, page, limit }: ListOptions): Prisma.Sql {
  const where = Prisma.sql`WHERE project_id = ${projectId} AND state = 'ready'
    ${folder === undefined ? Prisma.empty : Prisma.sql`AND folder = ${folder}`} ${filter === undefined ? Prisma.empty : matching(filter)}`
  const offset = BigInt(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
  return Prisma.sql`
    SELECT counted.total, listed.* FROM (SELECT count(*)::int AS total FROM files ${where}) counted
    LEFT JOIN LATERAL (SELECT ${columns} FROM files ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) listed ON true
    ORDER BY listed."createdAt" DESC, listed.id DESC`
}

/** A row that is ready without these breaks the state machine: better a loud error than a broken download. */
export function asReady (row: Omit<FileRecord, 'state'> & { state: string }): ReadyFileRecord {
  const { projectId, sha256, type, kind, blobKey, scannedAt } = row
  if (row.state !== 'ready' || projectId === null || sha256 === null || type === null || kind === null || blobKey === null || scannedAt === null) {
    throw new Error(`File ${row.id} is ${row.state} but incomplete`)
  }
  return { ...row, state: row.state, projectId, sha256, type, kind, blobKey, scannedAt }
}
