import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'

export interface TestBucket {
  endpoint: string
  bucket: string
}

/**
 * Returns a new bucket at each call: on the server that `endpoint` names, or on our own server in its own
 * thread, so that its memory is not counted as the driver's.
 */
export function createTestBuckets(t: Test, endpoint: string | undefined): () => Promise<TestBucket> {
  if (endpoint !== undefined) return async () => await makeBucket(endpoint)
  const servers = new Worker(new URL('./gcs-server.worker.js', import.meta.url))
  t.teardown(async () => {
    await servers.terminate()
  })
  return async () => {
    servers.postMessage('start')
    const [started] = (await once(servers, 'message')) as [TestBucket]
    return started
  }
}

async function makeBucket(endpoint: string): Promise<TestBucket> {
  const bucket = `filewright-${randomUUID()}`
  const reply = await fetch(`${endpoint}/storage/v1/b?project=test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: bucket })
  })
  if (!reply.ok) throw new Error(`${endpoint} made no bucket: ${reply.status} ${await reply.text()}`)
  return { endpoint, bucket }
}
