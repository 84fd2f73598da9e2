import { readFileSync, writeFileSync } from 'node:fs'
import { createId } from '@filewright/runtime'
import { codeOf } from './errors.js'

/** Generated at the first start and readable only by this user. */
export function keptSecret(path: string): string {
  try {
    const kept = readFileSync(path, 'utf8').trim()
    if (kept !== '') return kept
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const made = createId()
  writeFileSync(path, `${made}\n`, { mode: 0o600 })
  return made
}
