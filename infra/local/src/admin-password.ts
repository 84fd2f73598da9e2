import { readFileSync, writeFileSync } from 'node:fs'
import { createId } from '@filewright/runtime'
import { codeOf } from './errors.js'

/** The dashboard's password, made at the first start and kept where only this user can read it. */
export function keptAdminPassword(path: string): string {
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
