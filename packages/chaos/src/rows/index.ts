import type { Row } from '../harness/row.js'
import { byteFlipped } from './byte-flipped.js'
import { canaries } from './canaries.js'
import { clamdKilled } from './clamd-killed.js'
import { clamdReplies } from './clamd-replies.js'
import { deadlineRaces } from './deadline-races.js'
import { deleteRaces } from './delete-races.js'
import { diskFailing } from './disk-failing.js'
import { events } from './events.js'
import { fairAborts } from './fair-aborts.js'
import { fairAnalyses } from './fair-analyses.js'
import { fairBatches } from './fair-batches.js'
import { fairDeliveries } from './fair-deliveries.js'
import { fairGenerations } from './fair-generations.js'
import { fairScans } from './fair-scans.js'
import { fairUploads } from './fair-uploads.js'
import { fileModes } from './file-modes.js'
import { forgedJobs } from './forged-jobs.js'
import { fuzzedForms } from './fuzzed-forms.js'
import { gatewayKilled } from './gateway-killed.js'
import { hostileFilesRow } from './hostile-files.js'
import { leavingClients } from './leaving-clients.js'
import { modelFaults } from './model-faults.js'
import { names } from './names.js'
import { oneClamdDown } from './one-clamd-down.js'
import { parallelUploads } from './parallel-uploads.js'
import { postgresRestarted } from './postgres-restarted.js'
import { processesFrozen } from './processes-frozen.js'
import { promptInjection } from './prompt-injection.js'
import { rawHttp } from './raw-http.js'
import { redisAway } from './redis-away.js'
import { redisFrozen } from './redis-frozen.js'
import { redisKilled } from './redis-killed.js'
import { rollingRestart } from './rolling-restart.js'
import { scanWorkerKilled } from './scan-worker-killed.js'
import { slowClients } from './slow-clients.js'
import { startOrders } from './start-orders.js'
import { syncAttacked } from './sync-attacked.js'
import { tokens } from './tokens.js'
import { workersWithoutClamd } from './workers-without-clamd.js'

/** Every line of the table, in the order of the table. */
export const rows: readonly Row[] = [
  scanWorkerKilled,
  gatewayKilled,
  redisKilled,
  redisAway,
  redisFrozen,
  postgresRestarted,
  clamdKilled,
  clamdReplies,
  workersWithoutClamd,
  oneClamdDown,
  processesFrozen,
  hostileFilesRow,
  byteFlipped,
  fuzzedForms,
  leavingClients,
  names,
  diskFailing,
  parallelUploads,
  slowClients,
  rawHttp,
  tokens,
  deadlineRaces,
  deleteRaces,
  modelFaults,
  promptInjection,
  startOrders,
  rollingRestart,
  fairScans,
  fairAnalyses,
  fairAborts,
  fairBatches,
  fairGenerations,
  fairUploads,
  fairDeliveries,
  canaries,
  fileModes,
  forgedJobs,
  events,
  syncAttacked
]
