import t from 'tap'
import { createQueueClient, inference } from '@filewright/queue'
import { createId, loadConfig } from '@filewright/runtime'
import { freePort, poll, startOllamaServer, startRedisServer } from '@filewright/testing'
import { startInferenceWorker } from '../src/compose.js'
import { InferenceWorkerConfig } from '../src/index.js'
import { fenced, logger } from './helpers/test-worker.js'

t.test('the worker starts, is ready, answers and leaves nothing behind', async (t) => {
  const redis = await startRedisServer()
  t.teardown(async () => {
    await redis.stop()
  })
  const peer = await startOllamaServer({
    models: ['qwen2.5-coder:1.5b'],
    respond: () => fenced('export const a = 1')
  })
  t.teardown(async () => {
    await peer.close()
  })
  const port = await freePort()
  const steps = await startInferenceWorker(
    loadConfig(InferenceWorkerConfig, {
      REDIS_URL: redis.url,
      QUEUE_PREFIX: 'compose',
      OLLAMA_HOST: peer.url,
      PROBE_PORT: String(port),
      ANALYSIS_PROCESSES: '1',
      INFERENCE_CONCURRENCY: '2',
      OLLAMA_PULL: 'true'
    }),
    logger
  )
  await poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200)
  await poll(() => peer.requests.some(({ path }) => path === '/api/pull'), {
    what: 'the pull of a missing model'
  })
  const queue = createQueueClient({
    redisUrl: redis.url,
    prefix: 'compose',
    logger,
    definitions: [inference]
  })

  const outcome = await queue.request(
    inference,
    {
      v: 1,
      id: createId(),
      requestId: 'r',
      kind: 'generate',
      model: 'alpha-4o-mini',
      prompt: 'p',
      type: 'code',
      language: 'javascript',
      stream: false
    },
    // The analyzers' process starts at the same time, which takes half a minute on a busy machine.
    { deadlineMs: 120_000 }
  )

  t.match(outcome, { kind: 'generate', content: 'export const a = 1', modelUsed: 'qwen2.5-coder:1.5b' })
  await queue.close()
  for (const { run } of steps) await run()
  await t.rejects(fetch(`http://127.0.0.1:${port}/health/ready`))
  await poll(() => peer.openConnections() === 0)
})
