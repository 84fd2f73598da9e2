import { fieldPatterns, fileKinds, isFileKind, limits } from '@filewright/contracts'
import type { FileFilter } from '@filewright/db'
import { parseFolder, parseProjectId } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'

export interface ListQuery {
  projectId: string
  folder?: string
  filter?: FileFilter
  page: number
  limit: number
}

/** A repeated parameter arrives as an array: which one was meant cannot be known. */
function once (query: Record<string, unknown>, field: string): string | undefined {
  const value = query[field]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidFieldError(field, 'must be given once')
}

function wholeNumber (field: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > limits.wholeNumber) throw new InvalidFieldError(field, 'must be a whole number of at least 1')
  return value
}

const TYPE_FILTER = new RegExp(fieldPatterns.typeFilter, 'u')

function parseTypeFilter (text: string): FileFilter {
  const value = text.toLowerCase()
  if (!TYPE_FILTER.test(value)) {
    throw new InvalidFieldError('type', `must be a media type, a wildcard such as image/*, or one of ${fileKinds.join(', ')}`)
  }
  if (isFileKind(value)) return { kind: value }
  return value.endsWith('*') ? { typePrefix: value.slice(0, -1) } : { type: value }
}

export function parseListQuery (query: Record<string, unknown>): ListQuery {
  const projectId = parseProjectId(once(query, 'project_id'))
  const folder = once(query, 'folder')
  const type = once(query, 'type')
  return {
    projectId,
    ...(folder === undefined ? {} : { folder: parseFolder(folder) }),
    ...(type === undefined || type === '' ? {} : { filter: parseTypeFilter(type) }),
    page: wholeNumber('page', once(query, 'page'), limits.page.default),
    limit: Math.min(wholeNumber('limit', once(query, 'limit'), limits.pageSize.default), limits.pageSize.max)
  }
}
