import type { BlobStore } from '@filewright/blob-store'
import type { Clock } from '@filewright/runtime'

export interface SealKeyDeps {
  secret: Pick<BlobStore['secret'], 'read'>
  clock: Clock
}

/** A restored or replaced store has another secret. After this time its verdicts are accepted again. */
const KEPT_MS = 10_000

/** The store's secret, read again every few seconds, and at each scan while there is none. */
export function createSealKey({ secret, clock }: SealKeyDeps): () => Promise<Buffer | null> {
  let known: { key: Buffer; until: number } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (known !== undefined && now < known.until) return known.key
    const key = await secret.read()
    known = key === null ? undefined : { key, until: now + KEPT_MS }
    return key
  }
}
