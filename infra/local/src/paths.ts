import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the compiled files are, or the bundles. */
const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The checkout: four folders above. */
export const ROOT = resolve(HERE, '../../../..')

/** A server of ours that has a process of its own. */
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
    blobs: join(root, 'blobs'),
    postgres: join(root, 'postgres'),
    redis: join(root, 'redis'),
    signatures: join(root, 'clamav')
  }
}
