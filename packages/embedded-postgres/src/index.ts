export { keepBatchesWhole } from './pglite-batches.js'
export { startPglite, type PgliteServer } from './pglite-server.js'
