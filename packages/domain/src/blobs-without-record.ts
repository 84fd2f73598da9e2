import type { Database } from '@filewright/db'

const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/**
 * A row is always written before its blob, so a blob without a row never gets one. Neither does one whose row says
 * that the blob was removed: a copy to another store may have ended after that.
 */
export async function withoutRecord(
  files: Pick<Database['files'], 'findOwners'>,
  keys: string[]
): Promise<string[]> {
  const owners = await files.findOwners(keys.map(idOf))
  return keys.filter((key) => !owners.has(idOf(key)))
}
