import { Type, type Static } from '@filewright/schema'
import { blobStoreConfig } from '@filewright/blob-store'
import { clamdConfig, signatureConfig } from '@filewright/scanner'
import { workerConfig } from '@filewright/worker'

export const ScanWorkerConfig = Type.Object({
  ...workerConfig,
  ...blobStoreConfig,
  ...clamdConfig,
  ...signatureConfig,
  SCAN_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 6,
    description: 'Concurrent scans of one worker; a single token gets at most three quarters'
  })
})
export type ScanWorkerConfig = Static<typeof ScanWorkerConfig>
