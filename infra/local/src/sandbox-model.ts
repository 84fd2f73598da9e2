import { LlmConfig, ollamaOptionsOf } from '@filewright/llm'
import { createLogger, loadConfig, runService } from '@filewright/runtime'
import { createSandboxResponder, startOllamaServer } from '@filewright/sandbox-model'

/**
 * Implements Ollama's API with fixed samples instead of a language model. It runs in its own process, as
 * Ollama would.
 */
await runService(async () => {
  const { SANDBOX_HOST: host = '127.0.0.1', SANDBOX_PORT: port = '0' } = process.env
  const { models } = ollamaOptionsOf(loadConfig<LlmConfig>(LlmConfig, process.env))
  const server = await startOllamaServer({
    host,
    port: Number(port),
    // Health and the doctor show it: it must not be mistaken for a model.
    version: '0.0.0-sandbox',
    isSandbox: true,
    // It claims to have every model that the catalogue is mapped to.
    models: Object.values(models).flatMap(({ model, fallback = model }) => [model, fallback]),
    respond: createSandboxResponder(),
    logLimit: 0
  })
  return {
    logger: createLogger({ name: 'sandbox-model', level: 'info' }),
    steps: [{ name: 'listener', run: server.close }]
  }
})
