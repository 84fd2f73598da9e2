import type { ModelId } from '@filewright/contracts'
import type { Logger } from '@filewright/runtime'
import { ollamaOptionsOf, openAiOptionsOf, providersOf, type LlmConfig, type Provider } from './llm-config.js'
import type { ModelClient, ProbeResult } from './model-client.js'
import { createOllamaClient, type ModelMapping } from './ollama/ollama-client.js'
import { createOpenAiClient } from './openai/openai-client.js'

/**
 * One client for the whole catalogue: each model is called at the runtime that the environment names for it.
 */
export function createModelClient(config: LlmConfig, logger: Logger): ModelClient {
  const byModel = providersOf(config)
  const used = new Set(Object.values(byModel))
  const clients: Partial<Record<Provider, ModelClient>> = {
    ...(used.has('ollama') ? { ollama: createOllamaClient({ ...ollamaOptionsOf(config), logger }) } : {}),
    ...(used.has('openai') ? { openai: createOpenAiClient({ ...openAiOptionsOf(config), logger }) } : {})
  }
  const [only, second] = Object.values(clients)
  if (only !== undefined && second === undefined) return only

  /** Each runtime handles only its own models. */
  const isOf = (provider: Provider, models: Readonly<Record<ModelId, ModelMapping>>, name: string): boolean =>
    Object.entries(models).some(
      ([id, { model, fallback }]) =>
        byModel[id as ModelId] === provider && (model === name || fallback === name)
    )

  return {
    chat: async (request, options) => {
      const client = clients[byModel[request.model]]
      if (client === undefined) throw new RangeError(`${request.model} has no runtime`)
      return await client.chat(request, options)
    },
    probe: async (signal) => {
      const found: ProbeResult[] = []
      for (const [provider, client] of Object.entries(clients) as Array<[Provider, ModelClient]>) {
        const { models } = provider === 'ollama' ? ollamaOptionsOf(config) : openAiOptionsOf(config)
        const { version, missing } = await client.probe(signal)
        found.push({ version, missing: missing.filter((name) => isOf(provider, models, name)) })
      }
      return {
        version: found.map(({ version }) => version).join(', '),
        missing: found.flatMap(({ missing }) => missing)
      }
    },
    pull: async (model, onProgress, signal) => {
      await clients.ollama?.pull(model, onProgress, signal)
    },
    close: async () => {
      await Promise.all(
        Object.values(clients).map(async (client) => {
          await client.close()
        })
      )
    }
  }
}
