export {
  defineQueue,
  type KeepFinished,
  type PayloadOf,
  type ProgressOf,
  type QueueDefinition,
  type QueueJobOptions,
  type QueueSpec,
  type ResultOf
} from './define-queue.js'
export { scanFile, type ScanFilePayload, type ScanFileResult } from './queues/scan-file.js'
export { delivery, type DeliveryPayload, type DeliveryResult } from './queues/delivery.js'
export { isSealed, sealVerdict } from './queues/scan-seal.js'
export { createQueueClient, type QueueClient, type QueueClientOptions } from './queue-client.js'
export type { QueueCounts, RequestOptions } from './queue-channel.js'
export { createWorkerHost, type JobContext, type WorkerHost, type WorkerHostOptions } from './worker-host.js'
export { openQueueViews, type QueueViews, type QueueViewsOptions } from './queue-views.js'
export {
  createWindowCounter,
  type WindowCount,
  type WindowCounter,
  type WindowCounterOptions
} from './window-counter.js'
export { inspectRedis, type RedisFacts } from './inspect-redis.js'
export { redisConfig } from './redis-config.js'
export {
  engines,
  inference,
  type AnalyzeOutcome,
  type AnalyzePayload,
  type Engine,
  type GenerateOutcome,
  type GeneratePayload,
  type InferenceOutcome,
  type InferencePayload,
  type InferenceProgress,
  type OptimizeOutcome,
  type OptimizePayload
} from './queues/inference.js'
