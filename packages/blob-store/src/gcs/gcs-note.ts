import type { Logger } from '@filewright/runtime'
import type { CallOptions, StoreNote } from '../blob-store.js'
import { StorageFailure, toAppError } from '../remote/storage-failure.js'
import type { GcsHttp, GcsReply, GcsRequest } from './gcs-http.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'

export interface GcsNoteDeps {
  http: GcsHttp
  /** The URL of an object by its name. */
  objectUrl: (name: string) => URL
  uploadUrl: () => URL
  policy: RetryPolicy
  requestTimeoutMs: number
  logger?: Logger | undefined
}

/** @param name not a key, so no listing of blobs shows it */
export function createGcsNote(deps: GcsNoteDeps, name: string): StoreNote {
  const { http, objectUrl, uploadUrl, policy, requestTimeoutMs, logger } = deps

  type Request = Omit<GcsRequest, 'signal' | 'timeoutMs'>

  async function call(doing: string, request: Request, { signal }: CallOptions): Promise<GcsReply> {
    try {
      const exchange = async (): Promise<GcsReply> => {
        return await http.exchange({ ...request, signal, timeoutMs: requestTimeoutMs })
      }
      return await withRetries(exchange, { policy, signal, logger, doing })
    } catch (error) {
      throw toAppError(error)
    }
  }

  type Parameters = Record<string, string>

  async function insert(text: string, options: CallOptions, conditions: Parameters): Promise<GcsReply> {
    const url = uploadUrl()
    const parameters = { uploadType: 'media', name, ...conditions }
    for (const [parameter, value] of Object.entries(parameters)) url.searchParams.set(parameter, value)
    const headers = { 'content-type': 'text/plain' }
    const body = Buffer.from(text)
    return await call(`write of ${name}`, { method: 'POST', url, headers, body }, options)
  }

  return {
    read: async (options = {}) => {
      const url = objectUrl(name)
      url.searchParams.set('alt', 'media')
      const reply = await call(`read of ${name}`, { method: 'GET', url }, options)
      if (reply.status === 404) return null
      if (reply.status !== 200) throw refused(`read of ${name}`, reply)
      return reply.text
    },
    create: async (text, options = {}) => {
      // Generation 0 means "no object": Google lets one of several writers win.
      const reply = await insert(text, options, { ifGenerationMatch: '0' })
      if (reply.status === 412) return false
      if (reply.status !== 200 && reply.status !== 201) throw refused(`write of ${name}`, reply)
      return true
    },
    replace: async (text, options = {}) => {
      const reply = await insert(text, options, {})
      if (reply.status !== 200 && reply.status !== 201) throw refused(`write of ${name}`, reply)
    }
  }
}

function refused(doing: string, { status, text }: GcsReply): unknown {
  const message = `${doing} answered ${status}: ${text.slice(0, 200)}`
  return toAppError(new StorageFailure(message, { status }))
}
