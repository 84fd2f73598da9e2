import {
  fieldPatterns,
  fileKinds,
  isFileKind,
  limits,
  sortOrders,
  type SortOrder
} from '@filewright/contracts'
import type { FileFilter, FileOrder, ListOptions, ListPosition } from '@filewright/db'
import { parseFolder, parseProjectId, parseText } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'
import { once, wholeNumber, type Query } from '../../http/query.js'
import { readCursor, type ListScope } from './list-cursor.js'

const TYPE_FILTER = new RegExp(fieldPatterns.typeFilter, 'u')

function parseTypeFilter(text: string): FileFilter {
  const value = text.toLowerCase()
  if (!TYPE_FILTER.test(value)) {
    throw new InvalidFieldError(
      'type',
      `must be a media type, a wildcard such as image/*, or one of ${fileKinds.join(', ')}`
    )
  }
  if (isFileKind(value)) return { kind: value }
  return value.endsWith('*') ? { typePrefix: value.slice(0, -1) } : { type: value }
}

const orders: Record<SortOrder, FileOrder> = {
  created_at: { by: 'createdAt', descending: false },
  '-created_at': { by: 'createdAt', descending: true },
  name: { by: 'name', descending: false },
  '-name': { by: 'name', descending: true },
  size: { by: 'sizeBytes', descending: false },
  '-size': { by: 'sizeBytes', descending: true }
}

function parseOrder(text: string): FileOrder {
  const known = sortOrders.find((order) => order === text)
  if (known === undefined) throw new InvalidFieldError('sort', `must be one of ${sortOrders.join(', ')}`)
  return orders[known]
}

/** The filters, and whether the response links to the next page by cursor. */
export interface ListQuery extends ListOptions {
  order: FileOrder
  isWalk: boolean
}

/** The requested page: by its number, or by a cursor of the same list. */
export function parsePaging(
  query: Query,
  scope: ListScope
): Pick<ListQuery, 'page' | 'limit' | 'isWalk'> & { after?: ListPosition } {
  const page = once(query, 'page')
  const after = once(query, 'after')
  if (page !== undefined && after !== undefined) {
    throw new InvalidFieldError('after', 'must not be given together with page')
  }
  // An empty cursor requests the first page by cursor.
  const cursor = after === undefined || after === '' ? null : readCursor(scope, after)
  return {
    ...(cursor === null ? {} : { after: cursor.position }),
    isWalk: page === undefined,
    page: cursor?.page ?? wholeNumber('page', page, limits.page.default),
    limit: Math.min(wholeNumber('limit', once(query, 'limit'), limits.pageSize.default), limits.pageSize.max)
  }
}

export function parseListQuery(query: Query): ListQuery {
  const projectId = parseProjectId(once(query, 'project_id'))
  const folder = once(query, 'folder')
  const type = once(query, 'type')
  const search = once(query, 'search')
  const scope = {
    projectId,
    ...(folder === undefined ? {} : { folder: parseFolder(folder) }),
    ...(type === undefined || type === '' ? {} : { filter: parseTypeFilter(type) }),
    ...(search === undefined || search === ''
      ? {}
      : // Names are stored in Unicode NFC.
        { search: parseText('search', search, limits.searchChars).normalize('NFC') }),
    order: parseOrder(once(query, 'sort') ?? '-created_at')
  }
  return { ...scope, ...parsePaging(query, scope) }
}
