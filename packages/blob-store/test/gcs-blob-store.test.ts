import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { createGcsBlobStore, type BlobStore } from '../src/index.js'
import { blobStoreContract } from './blob-store.contract.js'

const servers = new Worker(new URL('./gcs-server.worker.js', import.meta.url))
t.teardown(async () => { await servers.terminate() })

async function createStore (): Promise<BlobStore> {
  servers.postMessage('start')
  const [{ endpoint, bucket }] = await once(servers, 'message') as [{ endpoint: string, bucket: string }]
  return createGcsBlobStore({ bucket, apiEndpoint: endpoint, listPageSize: 10 })
}

// A machine that is busy with other tests takes its time over 50 MiB.
t.setTimeout(600_000)
blobStoreContract(t, createStore)
