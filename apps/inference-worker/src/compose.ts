import { createAnalysisPool } from './analysis-pool/pool.js'
import { createModelClient } from '@filewright/llm'
import { createWorkerHost, inference } from '@filewright/queue'
import {
  checkOf,
  createHealthMonitor,
  startProbeServer,
  type Logger,
  type ShutdownStep
} from '@filewright/runtime'
import { createWorkerMetrics, startTracing, traced } from '@filewright/telemetry'
import type { InferenceWorkerConfig } from './config.js'
import { createInferenceHandler } from './inference.handler.js'
import { defineModelMetrics, meteredModel } from './model-metrics.js'
import { checkModels } from './models.js'
import { checkRuntime } from './runtime-health.js'

const PROBE_INTERVAL_MS = 10_000
/** The host looks this often; here its last finding is read. */
const READ_REPORT_MS = 2_000

/** Makes every part of the worker and joins them. Returns how to take it down again, in order. */
export async function startInferenceWorker(
  config: InferenceWorkerConfig,
  logger: Logger
): Promise<ShutdownStep[]> {
  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    service: 'filewright-inference-worker',
    logger
  })
  const model = createModelClient(config, logger)
  const analysis = createAnalysisPool({ size: config.ANALYSIS_PROCESSES })
  const health = createHealthMonitor({
    logger,
    checks: [
      checkOf(
        'redis',
        'ready',
        async () => {
          await host.ping()
        },
        { intervalMs: PROBE_INTERVAL_MS }
      ),
      // Without its models the worker still answers analyses: the runtime's state is not the worker's.
      { gates: { ollama: 'none' }, intervalMs: READ_REPORT_MS, run: async () => ({ ollama: host.report() }) }
    ]
  })
  const metrics = createWorkerMetrics(inference.name, health, defineModelMetrics)
  const host = createWorkerHost({
    definition: inference,
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.INFERENCE_CONCURRENCY,
    logger,
    handle: metrics.metered(
      createInferenceHandler({
        model: traced(meteredModel(model, metrics.record), tracing, { chat: 'ollama chat' }),
        analysis,
        logger,
        answerMs: config.OLLAMA_TOTAL_TIMEOUT_MS,
        outputTokens: config.OLLAMA_NUM_PREDICT,
        temperatures: {
          generate: config.GENERATE_TEMPERATURE,
          analyze: config.ANALYZE_TEMPERATURE,
          optimize: config.OPTIMIZE_TEMPERATURE
        }
      })
    ),
    check: async (signal) => await checkRuntime(model, signal),
    resumeTrace: tracing.resume
  })
  const probe = await startProbeServer({
    host: config.PROBE_HOST,
    port: config.PROBE_PORT,
    hosts: config.PROBE_HOSTS,
    health,
    metrics: metrics.page
  })
  const stopping = new AbortController()
  const models = checkModels({ model, pull: config.OLLAMA_PULL, logger, signal: stopping.signal })
  await host.start()
  health.start()
  // Last, so that the worker takes jobs before the analyzers' process competes with it for the processor.
  analysis.start()

  return [
    { name: 'health', run: () => health.stop() },
    { name: 'queue worker', run: () => host.close() },
    {
      name: 'models',
      run: async () => {
        stopping.abort()
        await models
        await model.close()
      }
    },
    { name: 'analyzers', run: () => analysis.close() },
    { name: 'metrics', run: () => metrics.close() },
    { name: 'tracing', run: () => tracing.close() },
    { name: 'probe', run: () => probe.close() }
  ]
}
