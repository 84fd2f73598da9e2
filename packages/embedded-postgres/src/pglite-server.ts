import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { createId } from '@filewright/runtime'
import { serializeBatches } from './pglite-batches.js'

export interface PgliteServer {
  url: string
  port: number
  /** For what a test must see or do without the repositories. */
  pglite: PGlite
  stop: () => Promise<void>
}

// In dist, which every clean removes: initdb in WebAssembly takes seconds, loading its result a fraction of
// one.
const cache = fileURLToPath(new URL('../.pglite/', import.meta.url))

/** An extension that the migrations need; PGlite must get it at each start. */
export const pgliteExtensions = { pg_trgm: trigrams }

async function createPglite(): Promise<PGlite> {
  const manifest = await readFile(
    new URL('../package.json', import.meta.resolve('@electric-sql/pglite')),
    'utf8'
  )
  const { version } = JSON.parse(manifest) as { version: string }
  const path = `${cache}${version}.tar`
  try {
    return await PGlite.create({
      loadDataDir: new Blob([await readFile(path)]),
      extensions: pgliteExtensions
    })
  } catch {
    const pglite = await PGlite.create({ extensions: pgliteExtensions })
    const dump = await pglite.dumpDataDir('none')
    const unfinished = `${path}.${createId()}`
    await mkdir(cache, { recursive: true })
    await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
    await rename(unfinished, path)
    return pglite
  }
}

/** PostgreSQL in this process, in memory, behind a real socket. */
export async function startPglite(): Promise<PgliteServer> {
  const pglite = await createPglite()
  const server = new PGLiteSocketServer({
    db: serializeBatches(pglite),
    host: '127.0.0.1',
    port: 0,
    maxConnections: 20
  })
  await server.start()
  // Once it listens, it knows its port.
  const address = server.getServerConn()
  return {
    url: `postgresql://postgres@${address}/postgres`,
    port: Number(address.split(':')[1]),
    pglite,
    stop: async () => {
      await server.stop()
      await pglite.close()
    }
  }
}
