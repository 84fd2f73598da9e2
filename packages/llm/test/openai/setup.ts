import type { Test } from 'tap'
import { createLogger } from '@filewright/runtime'
import { poll, startOllamaServer, type OllamaServer, type OllamaServerOptions } from '@filewright/testing'
import { patient } from '../ollama/setup.js'
import { createOpenAiClient, type ModelClient, type OpenAiClientOptions } from '../../src/index.js'

export function openAiClientFor(baseUrl: string, options: Partial<OpenAiClientOptions> = {}): ModelClient {
  const mapping = { model: 'small:1b' }
  return createOpenAiClient({
    baseUrl,
    models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping },
    timeouts: patient,
    maxOutputBytes: 256 * 1024,
    logger: createLogger({ name: 'test', level: 'silent' }),
    ...options
  })
}

/** A fake server that is closed at the end, and must have no connection left by then. */
export async function setup(
  t: Test,
  server: OllamaServerOptions = {},
  client: Partial<OpenAiClientOptions> = {}
): Promise<{ peer: OllamaServer; client: ModelClient }> {
  const peer = await startOllamaServer({
    models: ['small:1b'],
    respond: () => 'One two three four five.',
    ...server
  })
  const model = openAiClientFor(`${peer.url}/v1`, client)
  t.teardown(async () => {
    try {
      await model.close()
      await poll(() => peer.openConnections() === 0, { what: 'the end of all connections' })
    } finally {
      await peer.close()
    }
  })
  return { peer, client: model }
}
