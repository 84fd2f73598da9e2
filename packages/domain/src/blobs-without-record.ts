import type { Database } from '@filewright/db'

const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** A row is always written before its blob, so a blob without a row never gets one. */
export async function withoutRecord(
  files: Pick<Database['files'], 'findStates'>,
  keys: string[]
): Promise<string[]> {
  const states = await files.findStates(keys.map(idOf))
  return keys.filter((key) => !states.has(idOf(key)))
}
