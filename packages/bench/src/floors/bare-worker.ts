import { readFile } from 'node:fs/promises'
import { Worker, type Job } from 'bullmq'
import { Pool } from 'undici'
import { instream } from './instream.js'

export interface BareWorkerSpec {
  redisUrl: string
  prefix: string
  concurrency: number
  work: { kind: 'scan'; clamdSocket: string } | { kind: 'generate'; ollamaUrl: string; model: string }
}

/** The worker of a queued floor: BullMQ's worker, and a job's one call. */
export async function startBareWorker({
  redisUrl,
  prefix,
  concurrency,
  work
}: BareWorkerSpec): Promise<void> {
  const run =
    work.kind === 'scan' ? scanner(work.clamdSocket) : generator(work.ollamaUrl, work.model, concurrency)
  const worker = new Worker(`floor-${work.kind}`, run, { connection: { url: redisUrl }, prefix, concurrency })
  await worker.waitUntilReady()
}

function scanner(clamdSocket: string): (job: Job) => Promise<string> {
  return async ({ data }) => {
    const { path } = data as { path: string }
    return await instream(clamdSocket, [await readFile(path)])
  }
}

function generator(ollamaUrl: string, model: string, connections: number): (job: Job) => Promise<string> {
  const pool = new Pool(ollamaUrl, { connections })
  return async ({ data }) => {
    const { prompt } = data as { prompt: string }
    const { body } = await pool.request({
      method: 'POST',
      path: '/api/chat',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: false, messages: [{ role: 'user', content: prompt }] })
    })
    return ((await body.json()) as { message: { content: string } }).message.content
  }
}
