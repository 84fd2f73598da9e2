import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { appArguments } from '@filewright/runtime'
import { freePort, poll, startOllamaServer, startStack } from '@filewright/testing'
import { createAiClient, defaultModels } from '../../src/index.js'

t.setTimeout(600_000)
const JOBS = 12
/** Duration of a response: long enough to notice a worker that requests two at once. */
const MODEL_MS = 100

t.test('a second inference worker nearly doubles the throughput', async (t) => {
  const model = createMeetingModel()
  const peer = await startOllamaServer({ models: defaultModels, respond: model.respond })
  t.teardown(async () => await peer.close())
  const stack = await startStack(t, { env: { OLLAMA_HOST: peer.url, INFERENCE_CONCURRENCY: '1' } })
  const ai = createAiClient(stack.baseUrl, stack.token)
  const batch = async (): Promise<void> => {
    const answers = await Promise.all(
      Array.from({ length: JOBS }, async () => await ai.post('generate', { prompt: 'p', type: 'content' }))
    )
    t.ok(answers.every(({ status }) => status === 200))
  }
  await batch()
  t.equal(model.takeMost(), 1, 'one worker asks the model for one answer at a time')

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

  model.answerInPairs()
  await batch()
  t.equal(model.takeMost(), 2, 'each answer to one of them was written beside an answer to the other')
})

/**
 * A model that can hold each response until another is requested: then a batch ends only if two workers, each
 * with one response at a time, work all the time. No times are compared, so the test gives the same result on
 * a busy machine.
 */
function createMeetingModel() {
  let inPairs = false
  let now = 0
  let most = 0
  let meet: (() => void) | undefined
  return {
    answerInPairs: () => {
      inPairs = true
    },
    /** The maximum number of concurrent responses since the last call. */
    takeMost: (): number => {
      const taken = most
      most = 0
      return taken
    },
    respond: async (): Promise<string> => {
      most = Math.max(most, ++now)
      if (!inPairs) await sleep(MODEL_MS)
      else if (meet === undefined) {
        await new Promise<void>((resolve) => {
          meet = resolve
        })
      } else {
        meet()
        meet = undefined
      }
      now--
      return 'Done.'
    }
  }
}
