import { createHash } from 'node:crypto'
import { fieldPatterns, limits } from '@filewright/contracts'
import type { FileOrder, ListOptions, ListPosition, StoredFileRecord } from '@filewright/db'
import { InvalidFieldError, isId } from '@filewright/runtime'

/** The sort order of a file list, or of the trash. */
type CursorOrder = FileOrder | { by: 'trashedAt'; descending: true }

/** The filters of a list. A cursor is valid only for the list that it came from. */
export type ListScope = Pick<ListOptions, 'projectId' | 'folder' | 'filter' | 'search'> & {
  order: CursorOrder
}

/** The position in a list. */
export interface ListCursor {
  position: ListPosition
  /** The number of the next page. */
  page: number
}

const CURSOR = new RegExp(fieldPatterns.cursor)
const MAX_INT4 = 2_147_483_647

function fingerprintOf({ projectId, folder, filter, search, order }: ListScope): string {
  const parts = [projectId, folder ?? null, filter ?? null, search ?? null, order.by, order.descending]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)
}

/** Not sealed: a forged cursor is only another position in a list that the token may read anyway. */
export function writeCursor(
  scope: ListScope,
  { page, last }: { page: number; last: StoredFileRecord & { trashedAt?: Date } }
): string {
  const key = last[scope.order.by]
  const parts = [fingerprintOf(scope), page, key instanceof Date ? key.getTime() : key, last.id]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

export function readCursor(scope: ListScope, text: string): ListCursor {
  const malformed = new InvalidFieldError('after', 'must be a cursor from the Link header of a list')
  if (text.length > limits.cursorChars || !CURSOR.test(text)) throw malformed
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw malformed
  }
  if (!Array.isArray(parts) || parts.length !== 4) throw malformed
  const [fingerprint, page, key, id] = parts as unknown[]
  // The first page needs no cursor.
  if (!isCount(page, limits.wholeNumber) || page < 2 || typeof id !== 'string' || !isId(id)) throw malformed
  if (fingerprint !== fingerprintOf(scope)) {
    throw new InvalidFieldError(
      'after',
      'must be a cursor of a list with the same project_id, folder, type, search and sort'
    )
  }
  const parsed = parseKey(scope.order, key)
  if (parsed === null) throw malformed
  return { position: { key: parsed, id }, page }
}

const isCount = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max

/** Every value that passes this check can be compared with the column in PostgreSQL. */
function parseKey({ by }: CursorOrder, key: unknown): ListPosition['key'] | null {
  switch (by) {
    case 'createdAt':
    case 'trashedAt':
      return isCount(key, Date.UTC(9999, 0)) ? new Date(key) : null
    case 'sizeBytes':
      return isCount(key, MAX_INT4) ? key : null
    case 'name':
      return typeof key === 'string' && key.isWellFormed() && !key.includes('\0') ? key : null
  }
}
