import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UNOPTIMIZED_WASM } from '@filewright/runtime'
import { ROOT, entryPath } from '../paths.js'
import { ask } from '../wait.js'
import type { Service, ServiceContext } from './service.js'

/** Clients find the socket by its folder and the number in its name. */
const SOCKET_NAME = '.s.PGSQL.5432'

export interface PostgresPart extends Service<string> {
  /** Our own, from an earlier start: it has its tables. */
  used: boolean
}

/** `DATABASE_URL`, otherwise PostgreSQL in WebAssembly in its own process. */
export async function planPostgres(
  url: string | undefined,
  { paths, env, socketDir }: ServiceContext
): Promise<PostgresPart> {
  if (url !== undefined) {
    return { address: url, note: `PostgreSQL at ${new URL(url).host} (DATABASE_URL)`, used: false }
  }
  const path = join(socketDir, SOCKET_NAME)
  return {
    // It has no password, and loopback is open to every user of the machine; a socket in a restricted folder
    // is not.
    address: `postgresql://postgres@embedded/postgres?host=${encodeURIComponent(socketDir)}`,
    note: 'PostgreSQL: embedded (PGlite); survives kill -9, not a power cut',
    used: existsSync(paths.postgres),
    child: {
      name: 'postgres',
      tier: 'base',
      command: process.execPath,
      args: [UNOPTIMIZED_WASM, entryPath('pglite-server')],
      env: { ...env, PGLITE_DIR: paths.postgres, PGLITE_TEMPLATE: templatePath(), PGLITE_SOCKET: path },
      logFile: join(paths.logs, 'postgres.log'),
      ipc: true,
      // A killed one leaves its socket.
      prepare: () => rmSync(path, { force: true }),
      // It listens only once the database is open.
      ready: async (signal) =>
        await ask({ path }, '', () => true, signal).then(
          () => null,
          () => 'it does not listen yet'
        ),
      // The first start creates the database, which takes a busy machine more than a minute.
      readyTimeoutMs: 180_000
    }
  }
}

/** A cluster belongs to the PGlite version that created it. */
function templatePath(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return join(ROOT, 'node_modules', '.cache', 'filewright', `pglite-${version}`)
}
