import { createAnalysisPool } from './analysis-pool/pool.js'
import { createModelClient } from '@filewright/llm'
import { inference } from '@filewright/queue'
import type { Logger, ShutdownStep } from '@filewright/runtime'
import { traced } from '@filewright/telemetry'
import { startWorker } from '@filewright/worker'
import type { InferenceWorkerConfig } from './config.js'
import { createInferenceHandler } from './inference.handler.js'
import { defineModelMetrics, meteredModel } from './model-metrics.js'
import { checkModels } from './models.js'
import { checkRuntime } from './runtime-health.js'

/** Creates every part of the worker. Returns the shutdown steps in order. */
export async function startInferenceWorker(
  config: InferenceWorkerConfig,
  logger: Logger
): Promise<ShutdownStep[]> {
  return await startWorker({
    service: 'filewright-inference-worker',
    definition: inference,
    concurrency: config.INFERENCE_CONCURRENCY,
    // Covers the model's response, the analyzers and the runs of a rewrite.
    longestJobMs: 2 * config.OLLAMA_TOTAL_TIMEOUT_MS,
    config,
    logger,
    // Without its models the worker can still analyze, so the runtime's state does not make the worker
    // unready.
    behind: { name: 'ollama', gate: 'none' },
    create: ({ tracing }) => {
      const model = createModelClient(config, logger)
      const analysis = createAnalysisPool({ size: config.ANALYSIS_PROCESSES })
      const stopping = new AbortController()
      let models = Promise.resolve()
      return {
        defineMetrics: (prom, registry) => defineModelMetrics(prom, registry),
        handler: (record) =>
          createInferenceHandler({
            model: traced(meteredModel(model, record), tracing, { chat: 'ollama chat' }),
            analysis,
            logger,
            answerMs: config.OLLAMA_TOTAL_TIMEOUT_MS,
            outputTokens: config.OLLAMA_NUM_PREDICT,
            temperatures: {
              generate: config.GENERATE_TEMPERATURE,
              analyze: config.ANALYZE_TEMPERATURE,
              optimize: config.OPTIMIZE_TEMPERATURE
            }
          }),
        check: async (signal) => await checkRuntime(model, signal),
        start: async () => {
          models = checkModels({ model, pull: config.OLLAMA_PULL, logger, signal: stopping.signal })
        },
        // Last, so that the worker takes jobs before the analyzers' process competes for the CPU.
        started: () => {
          analysis.start()
        },
        stop: [
          {
            name: 'models',
            run: async () => {
              stopping.abort()
              await models
              await model.close()
            }
          },
          { name: 'analyzers', run: () => analysis.close() }
        ]
      }
    }
  })
}
