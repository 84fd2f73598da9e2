import type { Test } from 'tap'
import { createAnalysisPool, type AnalysisPool } from '../../src/analysis-pool/pool.js'
import { createOllamaClient, type OllamaClientOptions } from '@filewright/llm'
import {
  createQueueClient,
  createWorkerHost,
  inference,
  type AnalyzeOutcome,
  type AnalyzePayload,
  type GenerateOutcome,
  type GeneratePayload,
  type InferencePayload,
  type InferenceProgress,
  type OptimizeOutcome,
  type OptimizePayload
} from '@filewright/queue'
import { createId, createLogger, isAppError, type ErrorCode } from '@filewright/runtime'
import {
  poll,
  startOllamaServer,
  startRedisServer,
  type OllamaServer,
  type OllamaServerOptions,
  type RedisServer
} from '@filewright/testing'
import { createInferenceHandler } from '../../src/index.js'

/** Slow to start, so once per file. */
export interface Shared {
  redis: RedisServer
  analysis: AnalysisPool
}

export interface WorkerOptions extends OllamaServerOptions {
  /** The nth call to the model gets the nth text; the last one from then on. */
  replies?: readonly string[]
  client?: Partial<OllamaClientOptions>
  answerMs?: number
}

export interface AskOptions {
  signal?: AbortSignal
  onProgress?: (progress: InferenceProgress) => void
}

type Payload<P> = Partial<P>

export interface TestWorker {
  peer: OllamaServer
  generate: (payload: Payload<GeneratePayload>, options?: AskOptions) => Promise<GenerateOutcome>
  analyze: (payload: Payload<AnalyzePayload>, options?: AskOptions) => Promise<AnalyzeOutcome>
  optimize: (payload: Payload<OptimizePayload>, options?: AskOptions) => Promise<OptimizeOutcome>
  /** The messages of each model call. */
  prompts: () => string[]
}

export const logger = createLogger({
  name: 'inference-worker-test',
  level: process.env['LOG_LEVEL'] ?? 'silent'
})

export async function startShared(t: Test): Promise<Shared> {
  const [redis, analysis] = [await startRedisServer(), createAnalysisPool({ size: 1 })]
  t.teardown(async () => {
    await analysis.close()
    await redis.stop()
  })
  return { redis, analysis }
}

/** A worker with its own queues and a scripted model. Nothing may be left open at its end. */
export async function startWorker(
  t: Test,
  { redis, analysis }: Shared,
  options: WorkerOptions = {}
): Promise<TestWorker> {
  const { replies, client, answerMs = 10_000, ...server } = options
  let calls = 0
  const scripted =
    replies === undefined ? {} : { respond: () => replies[Math.min(calls++, replies.length - 1)] ?? '' }
  const peer = await startOllamaServer({ models: ['small:1b'], ...scripted, ...server })
  const mapping = { model: 'small:1b' }
  const model = createOllamaClient({
    host: peer.url,
    models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping },
    timeouts: { connectMs: 500, firstTokenMs: 3_000, idleMs: 3_000, totalMs: 10_000 },
    maxOutputBytes: 512 * 1024,
    logger,
    ...client
  })
  const prefix = `t${createId().slice(0, 8)}`
  const queue = createQueueClient({ redisUrl: redis.url, prefix, logger, definitions: [inference] })
  const host = createWorkerHost({
    definition: inference,
    redisUrl: redis.url,
    prefix,
    concurrency: 4,
    logger,
    handle: createInferenceHandler({ model, analysis, logger, answerMs })
  })
  await host.start()
  t.teardown(async () => {
    await queue.close()
    await host.close({ graceMs: 100 })
    try {
      await model.close()
      await poll(() => peer.openConnections() === 0, { what: 'the end of all connections to the model' })
    } finally {
      await peer.close()
    }
  })

  const common = (): { v: 1; id: string; requestId: string; model: 'alpha-4o-mini' } => ({
    v: 1,
    id: createId(),
    requestId: 'r',
    model: 'alpha-4o-mini'
  })
  const ask = async (payload: InferencePayload, asked: AskOptions = {}) =>
    await queue.request(inference, payload, { deadlineMs: 60_000, ...asked })

  // The outcome has the requested kind, or the assertions on its fields fail.
  return {
    peer,
    generate: async (payload, asked) =>
      (await ask(
        {
          ...common(),
          kind: 'generate',
          prompt: 'Add two numbers.',
          type: 'code',
          language: 'javascript',
          stream: false,
          ...payload
        },
        asked
      )) as GenerateOutcome,
    analyze: async (payload, asked) =>
      (await ask(
        {
          ...common(),
          kind: 'analyze',
          code: '',
          language: 'javascript',
          analysisTypes: ['security', 'performance', 'style', 'bugs'],
          ...payload
        },
        asked
      )) as AnalyzeOutcome,
    optimize: async (payload, asked) =>
      (await ask(
        { ...common(), kind: 'optimize', code: '', language: 'javascript', ...payload },
        asked
      )) as OptimizeOutcome,
    prompts: () =>
      peer.requests
        .filter(({ path }) => path === '/api/chat')
        .map(({ body }) =>
          (body as { messages: Array<{ content: string }> }).messages.map(({ content }) => content).join('\n')
        )
  }
}

export const fenced = (code: string, language = 'js'): string => `\`\`\`${language}\n${code}\n\`\`\``

/** The error code of the work, or its result. */
export async function failureOf(work: Promise<unknown>): Promise<ErrorCode | { gave: unknown }> {
  try {
    return { gave: await work }
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}

/** Why it was refused, as clients see it. */
export async function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (isAppError(error)) return error.rejection?.code
    throw error
  }
}
