import { limits } from '@filewright/contracts'
import { parseFolder, parseProjectId, parseText } from '@filewright/domain'
import { InvalidFieldError, isId } from '@filewright/runtime'

export interface ZipSelection {
  projectId: string
  /** Names in the archive are relative to it. */
  base: string
  folders: string[]
  ids: string[]
  after: string
}

const FIELDS = ['project_id', 'folder', 'folders', 'files', 'after']

function optionalString(body: Record<string, unknown>, field: string): string | undefined {
  const value = body[field]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidFieldError(field, 'must be a string')
}

function stringArray(body: Record<string, unknown>, field: string, maxItems: number): string[] {
  const value = body[field] ?? []
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new InvalidFieldError(field, 'must be an array of strings')
  }
  if (value.length > maxItems) throw new InvalidFieldError(field, `must have at most ${maxItems} items`)
  return [...new Set(value as string[])]
}

export function parseZipRequest(body: unknown): ZipSelection {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidFieldError('body', 'must be a JSON object')
  }
  // A misspelt field must not look like a selection of everything.
  if (Object.keys(body).some((field) => !FIELDS.includes(field))) {
    throw new InvalidFieldError('body', `must have no fields but ${FIELDS.join(', ')}`)
  }
  const fields = body as Record<string, unknown>
  const base = parseFolder(optionalString(fields, 'folder'))
  const folders = stringArray(fields, 'folders', limits.foldersPerZip).map((folder) => parseFolder(folder))
  const ids = stringArray(fields, 'files', limits.filesPerZip)
  if (!ids.every(isId)) throw new InvalidFieldError('files', 'must be ids of files')
  const isEverything = fields.folders === undefined && fields.files === undefined
  return {
    projectId: parseProjectId(optionalString(fields, 'project_id')),
    base,
    folders: isEverything ? [base] : folders,
    ids,
    after: parseText('after', optionalString(fields, 'after') ?? '', limits.filePathChars)
  }
}
