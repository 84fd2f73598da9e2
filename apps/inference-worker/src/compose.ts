import { createAnalysisPool } from '@filewright/analysis/pool'
import { createOllamaClient, ollamaOptionsOf } from '@filewright/llm'
import { createWorkerHost, inference } from '@filewright/queue'
import { startProbeServer, type Logger, type ShutdownStep } from '@filewright/runtime'
import type { InferenceWorkerConfig } from './config.js'
import { createInferenceHandler } from './inference.handler.js'
import { checkModels } from './models.js'

/** Makes every part of the worker and joins them. Returns how to take it down again, in order. */
export async function startInferenceWorker (config: InferenceWorkerConfig, logger: Logger): Promise<ShutdownStep[]> {
  const model = createOllamaClient({ ...ollamaOptionsOf(config), logger })
  const analysis = createAnalysisPool({ size: config.ANALYSIS_THREADS })
  const host = createWorkerHost({
    definition: inference,
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.INFERENCE_CONCURRENCY,
    logger,
    handle: createInferenceHandler({ model, analysis, logger, answerMs: config.OLLAMA_TOTAL_TIMEOUT_MS })
  })
  const probe = await startProbeServer({
    host: config.PROBE_HOST,
    port: config.PROBE_PORT,
    // Without its models the worker still answers analyses: the runtime's state is not the worker's.
    notReady: () => host.isRunning() ? null : 'the queue worker is not running'
  })
  const stopping = new AbortController()
  const models = checkModels({ model, pull: config.OLLAMA_PULL, logger, signal: stopping.signal })
  await host.start()
  // Last, so that the worker takes jobs before the analyzers' processes compete with it for the processor.
  analysis.start()

  return [
    { name: 'queue worker', run: async () => { await host.close() } },
    {
      name: 'models',
      run: async () => {
        stopping.abort()
        await models
      }
    },
    { name: 'analyzers', run: async () => { await analysis.close() } },
    { name: 'probe', run: async () => { await probe.close() } }
  ]
}
