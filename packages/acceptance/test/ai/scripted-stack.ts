import type { Test } from 'tap'
import { Redis } from 'ioredis'
import { startOllamaServer, startStack, type Fault } from '@filewright/testing'
import { createAiClient, defaultModels } from '../../src/index.js'

/** Twelve lines of sound code. */
export const code = Array.from({ length: 12 }, (_, line) => `export const value${line} = ${line}`).join('\n')

export const request = { prompt: 'Some values.', type: 'code', language: 'javascript' }

/** A stack whose model the test controls. */
export async function startScriptedStack(t: Test) {
  const model = {
    respond: (): string => `\`\`\`js\n${code}\n\`\`\``,
    fault: (_call: number): Fault => ({ kind: 'none' }),
    calls: 0
  }
  const peer = await startOllamaServer({
    models: defaultModels,
    respond: () => model.respond(),
    script: () => model.fault(model.calls++)
  })
  t.teardown(async () => await peer.close())
  const stack = await startStack(t, { env: { OLLAMA_HOST: peer.url } })
  const redis = new Redis(stack.info().redisUrl)
  t.teardown(() => redis.disconnect())
  return { model, peer, stack, redis, ai: createAiClient(stack.baseUrl, stack.token) }
}
