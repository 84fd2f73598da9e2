import { Type, type Static } from '@filewright/schema'
import { blobStoreConfig } from '@filewright/blob-store'
import { redisConfig } from '@filewright/queue'
import { clamdConfig, signatureConfig } from '@filewright/scanner'
import { knownHostsSetting, loggingConfig, stopConfig, tracingConfig } from '@filewright/runtime'

export const ScanWorkerConfig = Type.Object({
  ...loggingConfig,
  ...redisConfig,
  ...blobStoreConfig,
  ...clamdConfig,
  ...signatureConfig,
  ...tracingConfig,
  ...stopConfig,
  SCAN_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 6,
    description: 'Files scanned at once by one worker; a single token has at most three quarters'
  }),
  PROBE_HOST: Type.String({
    default: '127.0.0.1',
    description: "Address of the worker's health probes and metrics"
  }),
  PROBE_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 0,
    description: "Port of the worker's health probes and metrics; 0 picks a free one"
  }),
  PROBE_HOSTS: knownHostsSetting("the worker's probe port")
})
export type ScanWorkerConfig = Static<typeof ScanWorkerConfig>
