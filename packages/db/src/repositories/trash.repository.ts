import type { FileRecord, ReadyFileRecord, TrashedFileRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'
import { columnList } from './files.columns.js'
import { asReady, asStored } from './files.queries.js'
import type { FileBatches } from './files.statements.js'
import type { ListPosition } from './files.list.js'

export interface TrashListOptions {
  projectId: string
  /** 1-based. */
  page: number
  /** Only files after this position; `page` is ignored. */
  after?: ListPosition
  limit: number
}

/** A file in the trash, or one that new signatures withdrew while it was there. */
export type KeptFileRecord = TrashedFileRecord | (FileRecord & { state: 'quarantined'; projectId: string })

/** Deleted files that can be restored. Their content is kept but not served. */
export interface TrashRepository {
  /** Waits for the requesting token's turn. */
  find: (id: string, tokenId: string) => Promise<KeptFileRecord | null>
  /** Most recently deleted first. Waits for the requesting token's turn. */
  list: (options: TrashListOptions, tokenId: string) => Promise<{ files: TrashedFileRecord[]; total: number }>
  /** trashed → ready; null if another process moved the row first. */
  restore: (id: string) => Promise<ReadyFileRecord | null>
  /** trashed → deleting. */
  markDeleting: (id: string) => Promise<boolean>
  /** Like `markDeleting`, for up to `limit` files of a project, oldest first. Returns their number. */
  markProjectDeleting: (options: { projectId: string; limit: number }, tokenId: string) => Promise<number>
  /**
   * Like `markDeleting`, for files that have been in the trash for more than `days`, by the database's clock.
   */
  markExpiredDeleting: (options: { days: number; limit: number }) => Promise<number>
}

const columns = `${columnList}, trashed_at AS "trashedAt"`

export const find: Statement = {
  name: 'trash-find',
  text: `
    SELECT ${columns} FROM files
    WHERE id = $1 AND (state IS NOT DISTINCT FROM 'trashed' OR state IS NOT DISTINCT FROM 'quarantined')
      AND trashed_at IS NOT NULL AND project_id IS NOT NULL`
}

/** Reads the page and the total from one snapshot. An empty page returns one row of nulls with the total. */
function listQuery({ projectId, page, after, limit }: TrashListOptions): Statement & { values: unknown[] } {
  const values: unknown[] = [projectId, limit]
  const behind = after === undefined ? '' : 'AND (trashed_at, id) < ($3::timestamptz, $4)'
  if (after === undefined) values.push(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
  else values.push(after.key, after.id)
  return {
    text: `
      SELECT counted.total, listed.* FROM (
        SELECT coalesce(sum(trashed), 0)::int AS total FROM project_file_counts WHERE project_id = $1
      ) counted LEFT JOIN LATERAL (
        SELECT ${columns} FROM files WHERE project_id = $1 AND state = 'trashed' ${behind}
        ORDER BY trashed_at DESC, id DESC LIMIT $2 ${after === undefined ? 'OFFSET $3' : ''}
      ) listed ON true
      ORDER BY listed."trashedAt" DESC, listed.id DESC`,
    values
  }
}

/** Skips rows that another process is restoring or deleting at this moment. */
const deletingWhere = (condition: string): string => `
  WITH oldest AS (
    SELECT id FROM files WHERE state = 'trashed' AND ${condition}
    ORDER BY trashed_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE files SET state = 'deleting', lease_expires_at = NULL FROM oldest WHERE files.id = oldest.id
  RETURNING files.id`

const markProjectDeleting: Statement = { text: deletingWhere('project_id = $1') }
const markExpiredDeleting: Statement = {
  text: deletingWhere("trashed_at < now() - $1::float8 * interval '1 day'")
}

type Row = FileRecord & { trashedAt: Date }
type ListRow = Omit<Row, 'id'> & { id: string | null; total: number }

const asTrashed = (row: Row): TrashedFileRecord => ({
  ...asStored(row),
  state: 'trashed',
  trashedAt: row.trashedAt
})

export function createTrashRepository(
  run: RunStatement,
  batches: Pick<FileBatches, 'restore' | 'markTrashedDeleting'>,
  turns: Turns
): TrashRepository {
  return {
    find: async (id, tokenId) => {
      const [row] = await turns.take(
        tokenId,
        async () => await run<Row & Record<string, unknown>>(find, [id])
      )
      if (row === undefined) return null
      return row.state === 'trashed' ? asTrashed(row) : (row as KeptFileRecord)
    },

    list: async (options, tokenId) => {
      const { values, ...statement } = listQuery(options)
      const rows = await turns.take(
        tokenId,
        async () => await run<ListRow & Record<string, unknown>>(statement, values)
      )
      const files: TrashedFileRecord[] = []
      for (const { total, id, ...row } of rows) if (id !== null) files.push(asTrashed({ id, ...row }))
      return { files, total: rows[0]?.total ?? 0 }
    },

    restore: async (id) => {
      const row = await batches.restore({ id })
      return row === null ? null : asReady(row)
    },

    markDeleting: async (id) => await batches.markTrashedDeleting({ id }),

    markProjectDeleting: async ({ projectId, limit }, tokenId) =>
      await turns.take(tokenId, async () => (await run(markProjectDeleting, [projectId, limit])).length),

    markExpiredDeleting: async ({ days, limit }) => (await run(markExpiredDeleting, [days, limit])).length
  }
}
