import { setting } from '@filewright/runtime'
import { Type, type Static } from '@filewright/schema'
import { blobStoreConfig } from '@filewright/blob-store'
import { clamdConfig, signatureConfig } from '@filewright/scanner'
import { workerConfig } from '@filewright/worker'

export const ScanWorkerConfig = Type.Object({
  ...workerConfig,
  ...blobStoreConfig,
  ...clamdConfig,
  ...signatureConfig,
  SCAN_CONCURRENCY: setting.integer(
    6,
    [1, 64],
    'Concurrent scans of one worker; a single token gets at most three quarters'
  )
})
export type ScanWorkerConfig = Static<typeof ScanWorkerConfig>
