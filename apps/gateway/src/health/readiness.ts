import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import type { QueueClient } from '@filewright/queue'

export interface ReadinessDeps {
  database: Pick<Database, 'ping'>
  queue: Pick<QueueClient, 'ping'>
  blobs: Pick<BlobStore, 'probe'>
}

/** Names the first part that does not answer, or null when a request would find all of them. */
export function createReadiness ({ database, queue, blobs }: ReadinessDeps): () => Promise<string | null> {
  const checks: Array<[string, () => Promise<void>]> = [
    ['database', async () => { await database.ping() }],
    ['redis', async () => { await queue.ping() }],
    ['blob store', async () => { await blobs.probe(AbortSignal.timeout(5_000)) }]
  ]
  return async () => {
    const results = await Promise.allSettled(checks.map(async ([, check]) => { await check() }))
    const broken = checks.filter((_, index) => results[index]?.status === 'rejected').map(([name]) => name)
    return broken.length === 0 ? null : `no answer from: ${broken.join(', ')}`
  }
}
