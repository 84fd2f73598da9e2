import type { Row } from '../context.js'
import { clamdOverTcpRows } from './clamd-over-tcp.js'
import { coldStartRows } from './cold-start.js'
import { generationRows } from './generations.js'
import { largeUploadRows } from './large-upload.js'
import { listRows } from './lists.js'
import { readRows } from './reads.js'
import { resourceRows } from './resources.js'
import { sameShapeRows } from './same-shape.js'
import { scanWorkerRows } from './scan-workers.js'
import { storeRows } from './stores.js'
import { uploadRows } from './uploads.js'

export const rows: Row[] = [
  ...uploadRows,
  ...clamdOverTcpRows,
  ...largeUploadRows,
  ...readRows,
  ...listRows,
  ...generationRows,
  ...sameShapeRows,
  ...scanWorkerRows,
  ...storeRows,
  ...resourceRows,
  ...coldStartRows
]
