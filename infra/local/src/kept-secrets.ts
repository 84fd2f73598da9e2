import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createId } from '@filewright/runtime'
import { codeOf } from './errors.js'

/** Generated at the first start, kept in a file that only this user can read. */
export function keptSecret(path: string, create: () => string = createId): string {
  try {
    const kept = readFileSync(path, 'utf8').trim()
    if (kept !== '') return kept
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const made = create()
  writeFileSync(path, `${made}\n`, { mode: 0o600 })
  return made
}

/** What signs receipts. */
export const keptReceiptKey = (path: string): string =>
  keptSecret(path, () => randomBytes(32).toString('base64'))
