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

export interface NewFile {
  id: string
  blobKey: string
  tokenId: string | null
  leaseExpiresAt: Date
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
  charset: string | null
  leaseExpiresAt: Date
}

export const columns = Prisma.raw(columnList)

function matching (filter: FileFilter, value: (given: unknown) => string): string {
  if ('kind' in filter) return `AND kind = ${value(filter.kind)}`
  if ('type' in filter) return `AND type = ${value(filter.type)}`
  return `AND starts_with(type, ${value(filter.typePrefix)})`
}

export type ListRow = Omit<ReadyFileRecord, 'id'> & { id: string | null, total: number }

/**
 * The page and the total from one snapshot, in one round trip. The literal 'ready' lets the planner use the partial indexes.
 * The total comes even when the page is empty: then as one row of nulls. That of a whole project is kept, others are counted.
 * Pages are found by id alone: what is skipped is then read from the index only.
 */
export function listQuery ({ projectId, folder, filter, page, limit }: ListOptions): { text: string, values: unknown[] } {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const project = value(projectId)
  const where = [
    `WHERE project_id = ${project} AND state = 'ready'`,
    ...(folder === undefined ? [] : [`AND folder = ${value(folder)}`]),
    ...(filter === undefined ? [] : [matching(filter, value)])
  ].join(' ')
  const total = folder === undefined && filter === undefined
    ? `SELECT coalesce(sum(ready), 0)::int AS total FROM project_file_counts WHERE project_id = ${project}`
    : `SELECT count(*)::int AS total FROM files ${where}`
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
  const text = `
    SELECT counted.total, listed.* FROM (${total}) counted
    LEFT JOIN LATERAL (
      SELECT ${columnList} FROM files
      WHERE id = ANY (ARRAY(SELECT id FROM files ${where} ORDER BY created_at DESC, id DESC LIMIT ${value(limit)} OFFSET ${value(offset)}))
    ) listed ON true
    ORDER BY listed."createdAt" DESC, listed.id DESC`
  return { text, values }
}

/** A row that is ready without these breaks the state machine: better a loud error than a broken download. */
export function asReady (row: Omit<FileRecord, 'state'> & { state: string }): ReadyFileRecord {
  const { projectId, sha256, type, kind, blobKey, scannedAt } = row
  if (row.state !== 'ready' || projectId === null || sha256 === null || type === null || kind === null || blobKey === null || scannedAt === null) {
    throw new Error(`File ${row.id} is ${row.state} but incomplete`)
  }
  return { ...row, state: row.state, projectId, sha256, type, kind, blobKey, scannedAt }
}
