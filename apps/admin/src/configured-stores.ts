import { Type } from '@filewright/schema'
import {
  blobStoreConfig,
  createBlobStoreFrom,
  secondStoreConfig,
  type BlobStoreConfig
} from '@filewright/blob-store'
import { createStoreSet, storeName, type ConfiguredStore, type StoreSet } from '@filewright/domain'
import type { Database } from '@filewright/db'
import { loadConfig, type Environment } from '@filewright/runtime'

/** The store of the settings and, during a move, the other one. */
export function storeConfigs(env: Environment): [BlobStoreConfig, ...BlobStoreConfig[]] {
  const first = loadConfig<BlobStoreConfig>(Type.Object(blobStoreConfig), env)
  const second = secondStoreConfig(env)
  return second === undefined ? [first] : [first, second]
}

/** The caller closes the stores. */
export function storeSetOf(env: Environment, installation: Pick<Database['installation'], 'find'>): StoreSet {
  const opened = (config: BlobStoreConfig): ConfiguredStore => ({
    blobs: createBlobStoreFrom(config),
    name: storeName(config)
  })
  const [first, ...more] = storeConfigs(env)
  return patientStoreSet([opened(first), ...more.map(opened)], installation)
}

/** A command has no other chance to hear a slow store, and would take it for one that is gone. */
export function patientStoreSet(
  stores: readonly [ConfiguredStore, ...ConfiguredStore[]],
  installation: Pick<Database['installation'], 'find'>
): StoreSet {
  return createStoreSet({ stores, installation, otherStoreMs: 60_000 })
}
