import {
  createOllamaClient,
  createOpenAiClient,
  LlmConfig,
  ollamaOptionsOf,
  openAiOptionsOf,
  providersOf,
  type ModelClient,
  type ProbeResult,
  type Provider
} from '@filewright/llm'
import { createLogger, loadConfig, type Environment } from '@filewright/runtime'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const PROBE_MS = 10_000
const logger = () => createLogger({ name: 'doctor', level: 'silent' })

/** The models that the catalogue uses at this provider. */
function modelsAskedAt(provider: Provider, config: LlmConfig): Set<string> {
  const { models } = provider === 'ollama' ? ollamaOptionsOf(config) : openAiOptionsOf(config)
  const byModel = providersOf(config)
  return new Set(
    Object.entries(models)
      .filter(([id]) => byModel[id as keyof typeof byModel] === provider)
      .flatMap(([, { model, fallback }]) => (fallback === undefined ? [model] : [model, fallback]))
  )
}

const configOf = (env: Environment): LlmConfig => loadConfig<LlmConfig>(LlmConfig, env)

async function probeOnce(client: ModelClient): Promise<ProbeResult> {
  try {
    return await client.probe(AbortSignal.timeout(PROBE_MS))
  } finally {
    await client.close()
  }
}

export const ollamaCheck: Check = {
  name: 'Ollama',
  run: async (env) => {
    if (settingOf(env, 'OLLAMA_HOST') === undefined) return skipped('OLLAMA_HOST is not set here')
    try {
      const config = configOf(env)
      const asked = modelsAskedAt('ollama', config)
      if (asked.size === 0) return skipped('no model is configured to use it')
      const client = createOllamaClient({ ...ollamaOptionsOf(config), logger: logger() })
      const { version, missing: all } = await probeOnce(client)
      const missing = all.filter((model) => asked.has(model))
      if (version.includes('sandbox')) {
        return warning(
          `${version}, sandbox model: not a language model`,
          'Generated answers are fixed samples. Install Ollama, or set OLLAMA_HOST to where it runs, and start again.'
        )
      }
      if (missing.length === 0) return ok(`${version}, has every model`)
      return broken(
        `${version}, lacks ${missing.join(', ')}`,
        `Run: ${missing.map((model) => `ollama pull ${model}`).join('; ')}. Or set OLLAMA_PULL=true, or map MODEL_… to models it has.`
      )
    } catch (error) {
      return broken(
        reasonOf(error),
        'Start Ollama, and check OLLAMA_HOST. Until then generating answers 503; files and static analysis work.'
      )
    }
  }
}

export const openAiCheck: Check = {
  name: 'OpenAI API',
  run: async (env) => {
    try {
      const config = configOf(env)
      const asked = modelsAskedAt('openai', config)
      if (asked.size === 0) return skipped('no model is configured to use it: MODEL_PROVIDER is ollama')
      const client = createOpenAiClient({ ...openAiOptionsOf(config), logger: logger() })
      const { missing: all } = await probeOnce(client)
      const missing = all.filter((model) => asked.has(model))
      if (missing.length === 0) return ok(`${config.OPENAI_BASE_URL} answers, has every model`)
      return broken(
        `${config.OPENAI_BASE_URL} answers, lacks ${missing.join(', ')}`,
        'Serve these models there, or map MODEL_… to the names that the server lists.'
      )
    } catch (error) {
      return broken(
        reasonOf(error),
        'Start the server, and check OPENAI_BASE_URL and OPENAI_API_KEY. Until then generating answers 503; files and static analysis work.'
      )
    }
  }
}
