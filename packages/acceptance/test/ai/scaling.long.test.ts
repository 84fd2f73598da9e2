import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { appArguments } from '@filewright/runtime'
import { freePort, poll, startOllamaServer, startStack } from '@filewright/testing'
import { createAiClient, defaultModels } from '../../src/index.js'

t.setTimeout(600_000)
/** Far above what the service itself adds to a job, so that the number of workers decides. */
const MODEL_MS = 250
const JOBS = 12
const BATCHES = 3

t.test('a second inference worker nearly doubles what is done in the same time', async (t) => {
  const peer = await startOllamaServer({
    models: defaultModels,
    respond: async () => {
      await sleep(MODEL_MS)
      return 'Done.'
    }
  })
  t.teardown(async () => {
    await peer.close()
  })
  const stack = await startStack(t, {
    env: {
      OLLAMA_HOST: peer.url,
      INFERENCE_CONCURRENCY: '1',
      AI_RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_PER_MINUTE: '0'
    }
  })
  const ai = createAiClient(stack.baseUrl, stack.token)
  const batch = async (jobs = JOBS): Promise<number> => {
    const startedAt = Date.now()
    const answers = await Promise.all(
      Array.from({ length: jobs }, async () => await ai.post('generate', { prompt: 'p', type: 'content' }))
    )
    t.ok(answers.every(({ status }) => status === 200))
    return Date.now() - startedAt
  }
  // The same number of tries for both sides, fixed beforehand: a neighbour's load may hit either.
  const fastest = async (): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < BATCHES; round++) times.push(await batch())
    t.comment(`batches: ${times.join(', ')} ms`)
    return Math.min(...times)
  }
  await batch(8)
  const one = await fastest()

  const port = await freePort()
  const { redisUrl } = stack.info()
  const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../../..')
  const worker = spawn(process.execPath, appArguments(root, 'inference-worker'), {
    env: {
      REDIS_URL: redisUrl,
      OLLAMA_HOST: peer.url,
      INFERENCE_CONCURRENCY: '1',
      PROBE_PORT: String(port),
      LOG_LEVEL: 'silent'
    },
    stdio: 'ignore'
  })
  t.teardown(async () => {
    const gone = once(worker, 'exit')
    worker.kill()
    await gone
  })
  await poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200, {
    what: 'the second worker',
    timeoutMs: 30_000
  })
  await batch(8)
  const two = await fastest()

  t.comment(
    `${JOBS} jobs of ${MODEL_MS} ms: ${one} ms with one worker, ${two} ms with two, ratio ${(one / two).toFixed(2)}`
  )
  t.ok(one / two >= 1.7, `ratio ${(one / two).toFixed(2)}`)
})
