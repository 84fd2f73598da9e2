import { isAppError } from '@filewright/runtime'
import type { StoreNote } from '../blob-store.js'
import { download, type DownloadDeps } from '../remote/download.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { asAppErrors, toAppError } from '../remote/storage-failure.js'
import type { AzureApi } from './azure-client.js'
import { isTaken } from './azure-upload.js'

export interface AzureNoteDeps {
  api: AzureApi
  downloads: DownloadDeps
  policy: RetryPolicy
  requestTimeoutMs: number
}

/** @param name not a key, so no listing of blobs shows it */
export function createAzureNote(deps: AzureNoteDeps, name: string): StoreNote {
  const { api, downloads, policy, requestTimeoutMs } = deps

  async function put(text: string, ifAbsent: boolean, signal: AbortSignal | undefined): Promise<void> {
    const bytes = Buffer.from(text)
    const doing = `write of ${name}`
    await withRetries(
      async ({ leftMs }) => {
        const limits = { doing, signal, timeoutMs: Math.min(requestTimeoutMs, leftMs) }
        await api.call(async (container, abortSignal) => {
          const conditions = ifAbsent ? { ifNoneMatch: '*' } : {}
          await container.getBlockBlobClient(name).upload(bytes, bytes.length, { conditions, abortSignal })
        }, limits)
      },
      { policy, signal, doing }
    )
  }

  return {
    read: async ({ signal } = {}) => {
      try {
        const parts: Buffer[] = []
        for await (const part of await download(downloads, name, { signal })) parts.push(part as Buffer)
        return Buffer.concat(parts).toString()
      } catch (error) {
        if (isAppError(error, 'BLOB_NOT_FOUND')) return null
        throw error
      }
    },
    create: async (text, { signal } = {}) => {
      try {
        await put(text, true, signal)
        return true
      } catch (error) {
        if (isTaken(error)) return false
        throw toAppError(error)
      }
    },
    replace: async (text, { signal } = {}) => await asAppErrors(put(text, false, signal))
  }
}
