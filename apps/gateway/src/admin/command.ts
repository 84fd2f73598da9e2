import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { Database } from '@filewright/db'

export const adminOptions = {
  name: { type: 'string' },
  project: { type: 'string', multiple: true },
  'expires-in-days': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }
} satisfies ParseArgsConfig['options']

export type AdminFlags = ReturnType<typeof parseArgs<{ options: typeof adminOptions }>>['values']
export type AdminDatabase = Pick<Database, 'tokens' | 'projects'>
export type Command = (database: AdminDatabase, argument: string | undefined, flags: AdminFlags) => Promise<Answer>

/** What a command found: text for people, a value for scripts. */
export interface Answer {
  json: unknown
  text: string
  /** False when the thing asked about does not exist: exit code 1. */
  found?: boolean
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {}

export function table (head: string[], rows: string[][]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n')
}
