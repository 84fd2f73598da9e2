import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { startAzuriteServer, type AzuriteServer } from '@filewright/testing'
import { createAzureBlobStore, type AzureBlobStoreOptions, type BlobStore } from '../src/index.js'
import { startFaultProxy, type FaultProxy } from './fault-proxy.js'

export const QUICK: Partial<AzureBlobStoreOptions> = {
  partSizeBytes: 256 * 1024,
  requestTimeoutMs: 20_000,
  partTimeoutMs: 20_000,
  idleTimeoutMs: 1_000,
  cleanupTimeoutMs: 20_000,
  retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 20 }
}

export type AzureOperation = 'put' | 'block' | 'commit' | 'delete' | 'head' | 'get' | 'list'
type Place = Pick<AzureBlobStoreOptions, 'endpoint' | 'account' | 'container' | 'credentials'>

/** Returns a new container at each call, all on one server. */
export function createContainers(t: Test): () => Promise<Place> {
  let server: Promise<AzuriteServer> | undefined
  return async () => {
    server ??= startAzuriteServer().then((started) => {
      t.teardown(started.stop)
      return started
    })
    const { endpoint, account, accountKey, createContainer } = await server
    const container = `filewright-${randomUUID()}`
    await createContainer(container)
    return { endpoint, account, container, credentials: { accountKey } }
  }
}

export interface Built {
  proxy: FaultProxy<AzureOperation>
  /** Through the proxy. */
  store: BlobStore
  /** Another process, beside the proxy. */
  other: BlobStore
}

/** @returns a function that makes a new container behind a new proxy */
export function createBuilder(
  root: Test
): (t: Test, options?: Partial<AzureBlobStoreOptions>) => Promise<Built> {
  const createContainer = createContainers(root)
  return async (t, options = {}) => {
    const place = await createContainer()
    const { origin, pathname } = new URL(place.endpoint)
    const proxy = await startFaultProxy<AzureOperation>({ upstream: origin, operationOf })
    t.teardown(proxy.close)
    const endpoint = `${proxy.endpoint}${pathname}`
    return {
      proxy,
      store: createAzureBlobStore({ ...place, ...QUICK, endpoint, ...options }),
      other: createAzureBlobStore({ ...place, ...QUICK })
    }
  }
}

function operationOf(method: string, { searchParams: query }: URL): AzureOperation {
  if (method === 'HEAD') return 'head'
  if (method === 'DELETE') return 'delete'
  if (method === 'GET') return query.get('comp') === 'list' ? 'list' : 'get'
  if (query.get('comp') === 'block') return 'block'
  return query.get('comp') === 'blocklist' ? 'commit' : 'put'
}
