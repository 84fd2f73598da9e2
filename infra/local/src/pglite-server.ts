import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { serializeBatches, pgliteExtensions as extensions } from '@filewright/embedded-postgres'
import { ensurePgliteFolder } from './pglite-folder.js'

/** The gateway's pool, the admin CLI and a test or two at the same time. */
const MAX_CONNECTIONS = 20

async function main(): Promise<void> {
  const { PGLITE_DIR: dataDir = '', PGLITE_TEMPLATE: template = '', PGLITE_SOCKET: path = '' } = process.env
  await ensurePgliteFolder({
    dataDir,
    template,
    initialize: async (folder) => {
      const fresh = await PGlite.create({ dataDir: folder, extensions })
      await fresh.close()
    }
  })
  const db = await PGlite.create({ dataDir, extensions })
  const server = new PGLiteSocketServer({ db: serializeBatches(db), path, maxConnections: MAX_CONNECTIONS })

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await server.stop()
    await db.close()
    process.exit(0)
  }
  process.once('SIGTERM', () => {
    void stop()
  })
  process.once('SIGINT', () => {
    void stop()
  })
  // The supervisor is gone.
  process.once('disconnect', () => {
    void stop()
  })

  await server.start()
  if (process.channel != null && !process.connected) await stop()
}

await main()
