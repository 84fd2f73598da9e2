import type { FileChanges } from '@filewright/db'
import { parseFileName, parseFolder } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'

const parsers: Record<string, (value: string) => FileChanges> = {
  // A browser may send the path of an upload. A rename to a path is meant as a move, so its last part is not the name.
  name: (value) => {
    if (/[/\\]/.test(value)) throw new InvalidFieldError('name', 'must not contain slashes or backslashes')
    return { name: parseFileName(value, 'name') }
  },
  folder: (value) => ({ folder: parseFolder(value) })
}

/**
 * Applies the rules of an upload. Refuses unknown fields: a misspelled field would look like a successful
 * change.
 */
export function parseFileChanges(body: unknown): FileChanges {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidFieldError('body', 'must be a JSON object')
  }
  const changes: FileChanges = {}
  for (const [field, value] of Object.entries(body)) {
    const parse = Object.hasOwn(parsers, field) ? parsers[field] : undefined
    if (parse === undefined) throw new InvalidFieldError('body', 'must have no fields but name and folder')
    if (typeof value !== 'string') throw new InvalidFieldError(field, 'must be a string')
    Object.assign(changes, parse(value))
  }
  if (Object.keys(changes).length === 0) throw new InvalidFieldError('body', 'must have a name or a folder')
  return changes
}
