import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the compiled files or the bundles are. */
const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The checkout: four folders above. */
export const ROOT = resolve(HERE, '../../../..')

/** One of our servers that has its own process. */
export function entryPath(name: 'sandbox-model' | 'pglite-server'): string {
  return join(HERE, `${name}.js`)
}

export interface DataPaths {
  root: string
  logs: string
  run: string
  stackFile: string
  lockFile: string
  accessToken: string
  adminPassword: string
  webhookKey: string
  receiptKey: string
  blobs: string
  postgres: string
  redis: string
  signatures: string
}

export function dataPaths(root: string): DataPaths {
  const run = join(root, 'run')
  return {
    root,
    logs: join(root, 'logs'),
    run,
    stackFile: join(run, 'stack.json'),
    lockFile: join(run, 'lock.json'),
    accessToken: join(root, 'access-token'),
    adminPassword: join(root, 'admin-password'),
    webhookKey: join(root, 'webhook-key'),
    receiptKey: join(root, 'receipt-key'),
    blobs: join(root, 'blobs'),
    postgres: join(root, 'postgres'),
    redis: join(root, 'redis'),
    signatures: join(root, 'clamav')
  }
}
