import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError } from '@filewright/runtime'
import type { StoreNote } from '../blob-store.js'
import { download, type DownloadDeps } from '../remote/download.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { asAppErrors, isStatus } from '../remote/storage-failure.js'
import type { KeyLocks } from './key-locks.js'
import type { S3Conditions } from './s3-conditions.js'
import type { S3Requests } from './s3-requests.js'

export interface S3NoteDeps {
  downloads: DownloadDeps
  requests: S3Requests
  conditions: S3Conditions
  locks: KeyLocks
  policy: RetryPolicy
  requestTimeoutMs: number
  /** Without conditional writes, how long another process may take between its look and its write. */
  settleMs: number
}

/** @param name not a key, so no listing of blobs shows it */
export function createS3Note(deps: S3NoteDeps, name: string): StoreNote {
  const { downloads, requests, conditions, locks, policy, requestTimeoutMs } = deps

  async function put(text: string, ifAbsent: boolean, signal: AbortSignal | undefined): Promise<void> {
    await withRetries(
      async ({ leftMs }) => {
        const timeoutMs = Math.min(requestTimeoutMs, leftMs)
        await requests.put(name, Buffer.from(text), { writeId: 'note', ifAbsent, signal, timeoutMs })
      },
      { policy, signal, doing: `write of ${name}` }
    )
  }

  const read: StoreNote['read'] = async ({ signal } = {}) => {
    try {
      const parts: Buffer[] = []
      for await (const part of await download(downloads, name, { signal })) parts.push(part as Buffer)
      return Buffer.concat(parts).toString()
    } catch (error) {
      if (isAppError(error, 'BLOB_NOT_FOUND')) return null
      throw error
    }
  }

  async function createConditionally(text: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await put(text, true, signal)
      return true
    } catch (error) {
      if (isStatus(error, 412)) return false
      throw error
    }
  }

  /** Processes that looked at the same time overwrite each other: after a pause they all see the last one. */
  async function createAndLook(text: string, signal: AbortSignal | undefined): Promise<boolean> {
    if ((await read({ signal })) !== null) return false
    await put(text, false, signal)
    await sleep(deps.settleMs, undefined, { signal }).catch(() => {})
    return (await read({ signal })) === text
  }

  return {
    read,
    create: async (text, { signal } = {}) =>
      await asAppErrors(
        (async () => {
          if (await conditions.put(signal)) return await createConditionally(text, signal)
          return await locks.run(name, async () => await createAndLook(text, signal))
        })()
      ),
    replace: async (text, { signal } = {}) => await asAppErrors(put(text, false, signal))
  }
}
