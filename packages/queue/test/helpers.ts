import type { Test } from 'tap'
import { Type } from '@filewright/schema'
import { createId, createLogger } from '@filewright/runtime'
import {
  createQueueClient,
  createWorkerHost,
  defineQueue,
  type ProgressOf,
  type QueueClient,
  type QueueClientOptions,
  type ResultOf,
  type WorkerHost,
  type WorkerHostOptions
} from '../src/index.js'

export const logger = createLogger({ name: 'queue-test', level: process.env.LOG_LEVEL ?? 'silent' })

export interface EchoPayload {
  id: string
  text: string
}
interface EchoResult {
  text: string
  attempt: number
}
interface EchoProgress {
  step: number
}

export const echo = defineQueue<EchoPayload, EchoResult, EchoProgress>({
  name: 'echo',
  payload: Type.Object({ id: Type.String(), text: Type.String() }),
  result: Type.Object({ text: Type.String(), attempt: Type.Integer() }),
  progress: Type.Object({ step: Type.Integer() }),
  jobOptions: { attempts: 3, backoff: { type: 'fixed', delay: 20 } },
  jobId: ({ id }) => `echo-${id}`
})
export type Echo = typeof echo
export type EchoHandle = WorkerHostOptions<EchoPayload, ResultOf<Echo>, ProgressOf<Echo>>['handle']

export const answer: EchoHandle = async ({ text }, { attempt }) => ({ text, attempt })

/** Slow enough that a fault always hits some running jobs. */
export const slowly: EchoHandle = async (payload, context) => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return await answer(payload, context)
}

export const payloadOf = (text: string): EchoPayload => ({ id: createId(), text })

export interface Stack<S> {
  redis: S
  prefix: string
  client: (options?: Partial<QueueClientOptions>) => QueueClient
  /** Started. */
  worker: (
    handle?: EchoHandle,
    options?: Partial<WorkerHostOptions<EchoPayload, ResultOf<Echo>, ProgressOf<Echo>>>
  ) => Promise<WorkerHost>
}

/** Separate keys for each test; clients and workers are closed with the test. */
export function stackOn<S extends { url: string }>(t: Test, redis: S): Stack<S> {
  const prefix = `t${createId().slice(0, 8)}`
  return {
    redis,
    prefix,
    client: (options = {}) => {
      const client = createQueueClient({
        redisUrl: redis.url,
        prefix,
        logger,
        definitions: [echo],
        ...options
      })
      t.teardown(async () => await client.close())
      return client
    },
    worker: async (handle = answer, options = {}) => {
      const host = createWorkerHost({
        definition: echo,
        redisUrl: redis.url,
        prefix,
        concurrency: 20,
        logger,
        handle,
        ...options
      })
      t.teardown(async () => await host.close({ graceMs: 100 }))
      await host.start()
      return host
    }
  }
}

/** A promise that the test resolves. */
export function createLatch(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A handler's promise that only ends when its signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  )
}
