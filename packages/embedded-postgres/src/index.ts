export { serializeBatches } from './pglite-batches.js'
export { pgliteExtensions, startPglite, type PgliteServer } from './pglite-server.js'
