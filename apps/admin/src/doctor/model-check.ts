import { createOllamaClient, LlmConfig, ollamaOptionsOf } from '@filewright/llm'
import { createLogger, loadConfig } from '@filewright/runtime'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const PROBE_MS = 10_000

export const ollamaCheck: Check = {
  name: 'Ollama',
  run: async (env) => {
    if (settingOf(env, 'OLLAMA_HOST') === undefined) return skipped('OLLAMA_HOST is not set here')
    try {
      const logger = createLogger({ name: 'doctor', level: 'silent' })
      const client = createOllamaClient({ ...ollamaOptionsOf(loadConfig<LlmConfig>(LlmConfig, env)), logger })
      const { version, missing } = await client.probe(AbortSignal.timeout(PROBE_MS)).finally(client.close)
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
