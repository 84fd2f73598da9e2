import type { FileRecord, ReadyFileRecord, TrashedFileRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'
import { columnList } from './files.columns.js'
import { asReady, asStored } from './files.queries.js'
import type { FileBatches } from './files.statements.js'
import type { ListPosition } from './files.list.js'

export interface TrashListOptions {
  projectId: string
  /** From 1. */
  page: number
  /** Only files behind this position, whatever `page` says. */
  after?: ListPosition
  limit: number
}

/** A file that is in the trash, or was when new signatures withdrew it. */
export type KeptFileRecord = TrashedFileRecord | (FileRecord & { state: 'quarantined'; projectId: string })

/** Files that were deleted and can be restored. Their bytes are kept, and nothing serves them. */
export interface TrashRepository {
  /** In the turn of the token that asks. */
  find: (id: string, tokenId: string) => Promise<KeptFileRecord | null>
  /** Most recently deleted first; in the turn of the token that asks. */
  list: (options: TrashListOptions, tokenId: string) => Promise<{ files: TrashedFileRecord[]; total: number }>
  /** trashed → ready; null when someone else moved the row first. */
  restore: (id: string) => Promise<ReadyFileRecord | null>
  /** trashed → deleting. */
  markDeleting: (id: string) => Promise<boolean>
  /** The same for up to `limit` files of a project, oldest first; returns how many. */
  markProjectDeleting: (options: { projectId: string; limit: number }, tokenId: string) => Promise<number>
  /** The same for files that have been in the trash for longer than `days`, by the database's clock. */
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

/** The page and the total from one snapshot. The total comes even when the page is empty, as one row of nulls. */
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

/** Rows that somebody restores or deletes at this moment are left to them. */
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
