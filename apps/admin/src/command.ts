import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { BlobStore } from '@filewright/blob-store'
import type { Database, migrate } from '@filewright/db'
import type { Places, RescanFile, StoreSet, WebhookEndpoints } from '@filewright/domain'
import type { QueueClient } from '@filewright/queue'
import type { Environment } from '@filewright/runtime'

export const adminOptions = {
  name: { type: 'string' },
  project: { type: 'string', multiple: true },
  'expires-in-days': { type: 'string' },
  'max-files': { type: 'string' },
  'max-bytes': { type: 'string' },
  operator: { type: 'boolean' },
  class: { type: 'string' },
  url: { type: 'string' },
  events: { type: 'string', multiple: true },
  description: { type: 'string' },
  state: { type: 'string' },
  event: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'overlap-hours': { type: 'string' },
  'before-upgrade': { type: 'boolean' },
  fix: { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }
} satisfies ParseArgsConfig['options']

export type AdminFlags = ReturnType<typeof parseArgs<{ options: typeof adminOptions }>>['values']

/**
 * The parts that commands use. Each part is created on first use, so a command needs only the settings it
 * uses.
 */
export interface AdminAdapters {
  env: Environment
  database: () => Pick<
    Database,
    | 'tokens'
    | 'projects'
    | 'quotas'
    | 'files'
    | 'trash'
    | 'rescans'
    | 'installation'
    | 'moves'
    | 'receipts'
    | 'webhooks'
    | 'deliveries'
  >
  queue: () => Pick<QueueClient, 'counts' | 'hasWorker'>
  blobs: () => Pick<BlobStore, 'stat' | 'list' | 'remove' | 'marker'>
  /** The stores of the settings; `blobs` and `places` are those of the current one. */
  stores: () => StoreSet
  /** Their addresses in the same order, as `--to` names them. */
  storeAddresses: () => string[]
  places: () => Places
  rescanFile: () => RescanFile
  webhookEndpoints: () => WebhookEndpoints
  migrate: () => ReturnType<typeof migrate>
  /** Blobs younger than this may belong to an upload that is still running. */
  graceMs: number
}

/**
 * The person who typed the command. Questions and notes go to standard error, because scripts read standard
 * output.
 */
export interface Operator {
  /** A warning to read before the change is made. */
  say: (text: string) => void
  /** Undefined where there is no terminal, as in a script. */
  ask: ((question: string) => Promise<string>) | undefined
}

export type Command = (
  adapters: AdminAdapters,
  argument: string | undefined,
  flags: AdminFlags,
  operator: Operator
) => Promise<CommandResult>

/** The result of a command: text for people, a value for scripts. */
export interface CommandResult {
  json: unknown
  text: string
  /** True if the requested object does not exist or is broken: exit code 1. */
  failed?: boolean
  /** True if nothing was done because an operator should check first: exit code 3. */
  refused?: boolean
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
