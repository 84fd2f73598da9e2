import { isModelError, type ChatResult, type ModelClient } from '@filewright/llm'
import type { Prom, WorkerMetrics } from '@filewright/telemetry'

const SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160]

export type ModelMetrics = ReturnType<typeof defineModelMetrics>

/** By the runtime's own model name, of which the configuration has a handful. */
export function defineModelMetrics(prom: typeof Prom, registry: Prom.Registry) {
  const registers = [registry]
  return {
    calls: new prom.Counter({
      name: 'filewright_model_calls_total',
      help: 'Calls to the model runtime, by how they ended',
      labelNames: ['model', 'outcome'],
      registers
    }),
    tokens: new prom.Counter({
      name: 'filewright_model_tokens_total',
      help: 'Tokens by direction',
      labelNames: ['model', 'direction'],
      registers
    }),
    seconds: new prom.Histogram({
      name: 'filewright_model_call_seconds',
      help: 'Time of calls that were answered',
      labelNames: ['model'],
      buckets: SECONDS,
      registers
    })
  }
}

export function meteredModel(
  model: Pick<ModelClient, 'chat'>,
  record: WorkerMetrics<ModelMetrics>['record']
): Pick<ModelClient, 'chat'> {
  return {
    chat: async (request, options) => {
      const startedAt = performance.now()
      let result: ChatResult
      try {
        result = await model.chat(request, options)
      } catch (error) {
        // A failed call has no runtime model name, so the catalogue's name is used.
        record(({ calls }) => {
          calls.inc({ model: request.model, outcome: isModelError(error) ? error.reason : 'error' })
        })
        throw error
      }
      const took = (performance.now() - startedAt) / 1_000
      const { model: name, promptTokens, outputTokens } = result
      record(({ calls, tokens, seconds }) => {
        calls.inc({ model: name, outcome: 'ok' })
        tokens.inc({ model: name, direction: 'prompt' }, promptTokens)
        tokens.inc({ model: name, direction: 'output' }, outputTokens)
        seconds.observe({ model: name }, took)
      })
      return result
    }
  }
}
