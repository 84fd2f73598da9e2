import type { ReadyFileRecord } from '../records.js'
import type { Statement } from '../statements.js'
import { columnList } from './files.columns.js'

/** A kind, an exact media type, or a prefix of the media type (`image/`). */
export type FileFilter = { kind: string } | { type: string } | { typePrefix: string }

export type SortKey = 'createdAt' | 'name' | 'sizeBytes'

export interface FileOrder {
  by: SortKey
  descending: boolean
}

/** The end of a page: the sort key and the id of its last file. */
export interface ListPosition {
  key: Date | string | number
  id: string
}

export interface ListOptions {
  projectId: string
  /** Exactly this folder; the whole project when absent. */
  folder?: string
  filter?: FileFilter
  /** Part of the name, case-insensitive. */
  search?: string
  /** Default: newest first. */
  order?: FileOrder
  /** 1-based. */
  page: number
  /**
   * Only files after this position; `page` is ignored. These pages neither skip nor repeat a file when others
   * are added or deleted. The file at the position need not exist any more.
   */
  after?: ListPosition
  limit: number
}

/**
 * A search counts at most this many matches: an exact total for a common word would read every file. Up to
 * this number, the matches are sorted. Beyond it, the page is found by scanning in list order, because it is
 * near the start.
 */
export const MAX_COUNTED_MATCHES = 10_000

export type ListRow = Omit<ReadyFileRecord, 'id'> & { id: string | null; total: number }

export interface ListStatement extends Statement {
  values: unknown[]
}

type Value = (given: unknown, type?: string) => string

const columnOf: Record<SortKey, string> = { createdAt: 'created_at', name: 'name', sizeBytes: 'size_bytes' }
const typeOf: Record<SortKey, string> = { createdAt: 'timestamptz', name: 'text', sizeBytes: 'int' }
const NEWEST_FIRST: FileOrder = { by: 'createdAt', descending: true }

/** The maximum page size for lists with a kept plan. */
export const MAX_PLANNED_LIMIT = 100

/**
 * The name of a list whose plan PostgreSQL keeps: the first page of a whole project, or a page after a
 * position. One index has the list's order, so one plan suits all values, and planning takes longer than
 * finding the page. Undefined if the best plan depends on the values: the planner does not know how many
 * files a folder, a kind or a search matches. Deep pages take longer than planning.
 */
function planNameOf({
  folder,
  filter,
  search,
  order = NEWEST_FIRST,
  page,
  after,
  limit
}: ListOptions): string | undefined {
  if (folder !== undefined || filter !== undefined || search !== undefined) return undefined
  if ((page > 1 && after === undefined) || limit > MAX_PLANNED_LIMIT) return undefined
  const parts = [order.by, order.descending ? 'down' : 'up', ...(after === undefined ? [] : ['after'])]
  return `files-list-${parts.join('-')}`
}

function matching(filter: FileFilter, value: Value): string {
  if ('kind' in filter) return `AND kind = ${value(filter.kind)}`
  if ('type' in filter) return `AND type = ${value(filter.type)}`
  return `AND starts_with(type, ${value(filter.typePrefix)})`
}

const containing = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Reads the page and the total from one snapshot, in one round trip. The literal 'ready' lets the planner use
 * the partial indexes. An empty page returns one row of nulls with the total. The total of a whole project is
 * maintained; other totals are counted. The subquery selects only ids, so skipped rows are read from the
 * index alone.
 */
export function listQuery(options: ListOptions): ListStatement {
  const { projectId, folder, filter, search, order = NEWEST_FIRST, page, after, limit } = options
  const name = planNameOf(options)
  const values: unknown[] = []
  // PostgreSQL keeps a generic plan if it costs no more than plans for specific values. Values in subqueries
  // are hidden from the planner, so both cost the same.
  const value: Value = (given, type = 'text') =>
    name === undefined ? `$${values.push(given)}` : `(SELECT $${values.push(given)}::${type})`
  const project = value(projectId)
  const where = [
    `WHERE project_id = ${project} AND state = 'ready'`,
    ...(folder === undefined ? [] : [`AND folder = ${value(folder)}`]),
    ...(filter === undefined ? [] : [matching(filter, value)]),
    ...(search === undefined ? [] : [`AND name ILIKE ${value(containing(search))}`])
  ].join(' ')
  const direction = order.descending ? 'DESC' : 'ASC'
  const column = columnOf[order.by]
  // A row comparison. PostgreSQL uses it as the start of a scan in the sorted index.
  const behind =
    after === undefined
      ? 'true'
      : `(${column}, id) ${order.descending ? '<' : '>'} (${value(after.key, typeOf[order.by])}, ${value(after.id)})`
  const sorted = `ORDER BY ${column} ${direction}, id ${direction}`
  const offset = after === undefined ? Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) : 0
  const rows = `LIMIT $${values.push(limit)}${offset === 0 ? '' : ` OFFSET $${values.push(offset)}`}`
  const onePage = `AND ${behind} ${sorted} ${rows}`

  const found = `SELECT id, ${column} FROM files ${where}`
  const isWhole = folder === undefined && filter === undefined
  const { head, total, ids } =
    search !== undefined
      ? searched(found, onePage)
      : {
          head: '',
          total: isWhole
            ? `SELECT coalesce(sum(ready), 0)::int AS total FROM project_file_counts WHERE project_id = ${project}`
            : `SELECT count(*)::int AS total FROM files ${where}`,
          ids:
            name === undefined
              ? `SELECT id FROM files ${where} ${onePage}`
              : // A literal limit: without one, the planner expects a tenth of all rows.
                `SELECT id FROM (${found} AND ${behind} ${sorted} LIMIT ${MAX_PLANNED_LIMIT}) first ${sorted} ${rows}`
        }
  const text = `
    ${head}
    SELECT counted.total, listed.* FROM (${total}) counted
    LEFT JOIN LATERAL (
      SELECT ${columnList} FROM files WHERE id = ANY (ARRAY(${ids}))
    ) listed ON true
    ORDER BY listed."${order.by}" ${direction}, listed.id ${direction}`
  return { ...(name === undefined ? {} : { name }), text, values }
}

function searched(found: string, onePage: string): { head: string; total: string; ids: string } {
  const matches = '(SELECT matches FROM counted_matches)'
  return {
    head: `
      WITH found AS MATERIALIZED (${found} LIMIT ${MAX_COUNTED_MATCHES + 1}),
      counted_matches AS MATERIALIZED (SELECT count(*)::int AS matches FROM found)`,
    total: `SELECT least(matches, ${MAX_COUNTED_MATCHES}) AS total FROM counted_matches`,
    // Only one of the two queries runs.
    ids: `
      (SELECT id FROM found WHERE ${matches} <= ${MAX_COUNTED_MATCHES} ${onePage})
      UNION ALL
      (SELECT id FROM (${found} AND ${matches} > ${MAX_COUNTED_MATCHES}) walked WHERE true ${onePage})`
  }
}
