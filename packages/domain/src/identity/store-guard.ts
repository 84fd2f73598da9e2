import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@filewright/blob-store'
import { AppError, isAppError, linkSignals, type Logger } from '@filewright/runtime'
import { mismatch, type Comparison } from './compare.js'
import { compareIdentity, establishIdentity, type IdentityDeps } from './establish.js'
import { formatMarker, type Identity } from './identity.js'

export interface StoreGuard {
  /**
   * Compares database and store. Resolves when that is done or has to wait for one of them; it then continues
   * in the background. Rejects with STORE_MISMATCH before anything is changed.
   */
  begin: () => Promise<void>
  /** Resolves once both are known to belong together; rejects when they do not. */
  readonly established: Promise<void>
  /** Throws unless the last check found our own store. Cheap enough for every upload. */
  assertOpen: () => void
  /** Checks the store's marker, for the health monitor. */
  look: (signal?: AbortSignal) => Promise<void>
  /** Checks both sides, before something is removed. */
  verify: () => Promise<void>
  stop: () => void
}

export interface StoreGuardDeps extends IdentityDeps {
  /** Finds the current store among those of the settings; `blobs` and `places` are then those of that store. */
  follow: (signal?: AbortSignal) => Promise<unknown>
  logger: Pick<Logger, 'error' | 'info'>
}

/** A hanging dependency must not block the probes. */
const FIRST_LOOK_MS = 3_000
const RETRY_MS = 100
const MAX_MS = 1_000
/** Shorter than the deadline of the storage check, so that the check has a reason to show. */
const PATIENCE_MS = 5_000

/** Blocks uploads, downloads and sweeps on a store that does not belong to the database. */
export function createStoreGuard(deps: StoreGuardDeps): StoreGuard {
  const { blobs, places, follow, logger } = deps
  const stopping = new AbortController()
  let identity: Identity | undefined
  let closedFor: AppError | undefined
  let lastFailure = 'neither has answered'
  let endFirstTry = (): void => {}
  const firstTry = new Promise<void>((resolve) => {
    endFirstTry = resolve
  })
  let settle = { resolve: (): void => {}, reject: (_error: unknown): void => {} }
  const established = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  established.catch(() => {})

  function open(found: Identity): void {
    if (closedFor !== undefined) logger.info({ store: places.store }, 'blob store available again')
    identity = found
    closedFor = undefined
  }

  function close(reason: string): AppError {
    if (closedFor === undefined) logger.error({ reason }, 'wrong blob store: nothing is written or removed')
    closedFor = mismatch(reason)
    return closedFor
  }

  function openIfSame(found: Comparison): void {
    if (found.kind === 'same') open(found.identity)
    else throw close(found.kind === 'other' ? found.reason : `the blob store (${places.store}) has no marker`)
  }

  /** Retries until both have answered. */
  async function establish(): Promise<void> {
    for (let delayMs = RETRY_MS; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, MAX_MS)) {
      try {
        await follow()
        const found = await establishIdentity(deps)
        await follow()
        open(found)
        settle.resolve()
        return
      } catch (error) {
        if (isAppError(error, 'STORE_MISMATCH') || !isAppError(error) || !error.retryable) {
          settle.reject(error)
          return
        }
        lastFailure = error.message
        endFirstTry()
      }
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function atMost(ms: number, wait: Promise<unknown>, signal?: AbortSignal): Promise<void> {
    const ended = linkSignals(signal)
    try {
      await Promise.race([wait, sleep(ms, undefined, { signal: ended.signal }).catch(() => {})])
    } finally {
      ended.abort()
    }
  }

  return {
    begin: async () => {
      void establish()
      await atMost(FIRST_LOOK_MS, Promise.race([established, firstTry]))
    },
    established,
    assertOpen: () => {
      if (closedFor !== undefined) throw closedFor
      if (identity === undefined) throw notYet(lastFailure)
    },
    look: async (signal) => {
      if (identity === undefined) await atMost(PATIENCE_MS, established, signal)
      if (identity === undefined) throw notYet(lastFailure)
      try {
        await follow(signal)
        // Another identity is valid after a switch to another store, or after an operator has adopted the store.
        openIfSame(await compareIdentity(deps, signal))
      } catch (error) {
        if (!isAppError(error, 'DATABASE_UNAVAILABLE')) throw error
        const marker = await blobs.marker.read({ signal })
        if (marker === formatMarker(identity)) open(identity)
        else throw close(`the marker of the blob store (${places.store}) has changed`)
      }
    },
    verify: async () => {
      if (identity === undefined) throw notYet(lastFailure)
      await follow()
      openIfSame(await compareIdentity(deps))
    },
    stop: () => stopping.abort()
  }
}

function notYet(reason: string): AppError {
  const message = `the blob store was not compared with the database yet: ${reason}`
  return new AppError('STORAGE_UNAVAILABLE', message, { retryable: true })
}

/** Every operation on blobs asks the guard first. */
export function guardedBlobs(blobs: BlobStore, guard: Pick<StoreGuard, 'assertOpen'>): BlobStore {
  type Call<Args extends unknown[], Result> = (...args: Args) => Promise<Result>
  function guarded<Args extends unknown[], Result>(call: Call<Args, Result>): Call<Args, Result> {
    return async (...args) => {
      guard.assertOpen()
      return await call(...args)
    }
  }
  return {
    ...blobs,
    write: async (key, source, options) => {
      try {
        guard.assertOpen()
      } catch (error) {
        if (source instanceof Readable) source.on('error', () => {}).destroy()
        throw error
      }
      return await blobs.write(key, source, options)
    },
    read: guarded(blobs.read),
    open: guarded(blobs.open),
    address: guarded(blobs.address),
    remove: guarded(blobs.remove),
    secret: {
      read: guarded(blobs.secret.read),
      ensure: guarded(blobs.secret.ensure),
      replace: guarded(blobs.secret.replace)
    }
  }
}
