import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createId } from '@filewright/runtime'
import { codeOf } from './errors.js'

/** Generated at the first start, kept in a file that only this user can read. */
function keptSecret(path: string, create: () => string): string {
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

/** The dashboard's password. */
export const keptAdminPassword = (path: string): string => keptSecret(path, createId)

/** What signs receipts. */
export const keptReceiptKey = (path: string): string =>
  keptSecret(path, () => randomBytes(32).toString('base64'))
