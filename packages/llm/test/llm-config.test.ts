import t from 'tap'
import { modelIds } from '@filewright/contracts'
import { createLogger, loadConfig } from '@filewright/runtime'
import { createOllamaClient, LlmConfig, ollamaOptionsOf } from '../src/index.js'

t.test('an empty environment means a local Ollama and a model for every catalogue entry', async (t) => {
  const options = ollamaOptionsOf(loadConfig<LlmConfig>(LlmConfig, {}))

  t.equal(options.host, 'http://127.0.0.1:11434')
  t.strictSame(Object.keys(options.models).sort(), [...modelIds].sort())
  for (const { model, fallback } of Object.values(options.models)) {
    t.match(model, /^[\w.-]+:[\w.]+$/)
    t.equal(fallback, 'qwen2.5-coder:1.5b')
  }
  t.ok(options.timeouts.connectMs < 2_000, 'a runtime that is down is to be reported within two seconds')
  t.doesNotThrow(() =>
    createOllamaClient({ ...options, logger: createLogger({ name: 'test', level: 'silent' }) })
  )
})

t.test('the environment sets models, limits and deadlines', async (t) => {
  const options = ollamaOptionsOf(
    loadConfig<LlmConfig>(LlmConfig, {
      OLLAMA_HOST: 'ollama:11434',
      MODEL_GAMMA: 'hf.co/some/Model-GGUF:Q4_K_M',
      MODEL_FALLBACK: 'tiny',
      OLLAMA_NUM_CTX: '4096',
      OLLAMA_IDLE_TIMEOUT_MS: '7'
    })
  )

  t.match(options, {
    host: 'ollama:11434',
    contextCap: 4_096,
    timeouts: { idleMs: 7 },
    models: { gamma: { model: 'hf.co/some/Model-GGUF:Q4_K_M', fallback: 'tiny' } }
  })
})

t.test('invalid values are refused by name', async (t) => {
  for (const [key, value] of [
    ['MODEL_BETA_3', 'a b'],
    ['OLLAMA_NUM_CTX', '1'],
    ['OLLAMA_PULL', 'perhaps'],
    ['OLLAMA_TOTAL_TIMEOUT_MS', '-1']
  ] as const) {
    t.throws(() => loadConfig<LlmConfig>(LlmConfig, { [key]: value }), {
      code: 'CONFIG_INVALID',
      message: new RegExp(key)
    })
  }
})
