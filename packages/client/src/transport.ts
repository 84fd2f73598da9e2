import { badAnswer, type Answer } from './checks.js'
import {
  connectionErrorOf,
  errorOf,
  FilewrightError,
  redirectErrorOf,
  TimeoutError,
  UNREACHABLE
} from './errors.js'
import { joinSignals } from './join-signals.js'
import type { Platform } from './platform.js'
import { withRetries, type RetryOptions } from './retry.js'

export interface CallOptions {
  signal?: AbortSignal
  /** Of one attempt. */
  timeoutMs?: number
  /** Retries after the first attempt. */
  retries?: number
}

export interface TransportOptions {
  baseUrl: string
  token: string
  platform: Platform
  fetch: typeof fetch
  /** Whether `fetch` is the caller's own. */
  isOwnFetch: boolean
  retry: RetryOptions
  onRetry?: ((error: FilewrightError, pauseMs: number) => void) | undefined
  onResponse?: ((response: Response, path: string) => void) | undefined
  /** Ends every call. */
  signal?: AbortSignal | undefined
}

export interface Call extends CallOptions {
  /** Sends one attempt. A retry gets the same key. */
  send: (init: { url: string; headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>
  path: string
  /** Whether a retry could take effect twice; if so, the request carries a key. */
  keyed?: boolean
  /** Whether the body can be sent again. */
  repeatable?: boolean
  headers?: Record<string, string>
  /** The body is read after the call: the caller's signal still ends it, the timeout does not. */
  lasting?: boolean
  /** Reads the response, while the timeout still applies. */
  read: (response: Response, attempt: number) => Promise<unknown>
}

export interface Transport {
  platform: Platform
  fetch: typeof fetch
  isOwnFetch: boolean
  call: (call: Call) => Promise<unknown>
  /** A request without a body. */
  request: <T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    answer: Answer<T>,
    options: CallOptions & { accept?: string }
  ) => Promise<T>
  /** Repeating it has the same effect, so it needs no key. */
  patch: <T>(
    path: string,
    body: unknown,
    answer: Answer<T>,
    options: CallOptions & { accept?: string }
  ) => Promise<T>
  post: <T>(
    path: string,
    body: unknown,
    answer: Answer<T>,
    options: CallOptions & { accept?: string }
  ) => Promise<T>
}

const JSON_TIMEOUT_MS = 60_000
/** The service's own maximum, and a little more. */
const AI_TIMEOUT_MS = 330_000

export async function throwUnlessOk(response: Response): Promise<void> {
  if (response.ok) return
  const body = (await response.json().catch(() => null)) as { error?: unknown } | null
  throw errorOf(response.status, response.headers, body?.error)
}

/** Nothing from the service is used unchecked. */
export async function readAnswer<T>(response: Response, answer: Answer<T>): Promise<T> {
  await throwUnlessOk(response)
  const body = await response.text()
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw badAnswer('the body is not JSON')
  }
  return answer(value)
}

/** A browser hides a redirect's target and status. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)

/** The given address, without parts that may have been copied along. */
export function apiOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with http:// or https://')
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`
}

export function createTransport({
  baseUrl,
  token,
  platform,
  fetch,
  isOwnFetch,
  retry,
  onRetry,
  onResponse,
  signal: clientSignal
}: TransportOptions): Transport {
  const base = apiOf(baseUrl)
  // Once true, a refused connection means a restart, and is worth a long wait.
  let wasReached = false

  async function tryOnce(call: Call, key: string | undefined, attempt: number): Promise<unknown> {
    const { path, headers = {}, signal, timeoutMs = JSON_TIMEOUT_MS, lasting = false, send, read } = call
    let isRead = false
    signal?.throwIfAborted()
    const ending = new AbortController()
    const stop = (): void => ending.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    const late = new TimeoutError(`No answer within ${timeoutMs / 1_000} s`, { code: 'timeout' })
    const timer = setTimeout(() => ending.abort(late), timeoutMs)
    try {
      const response = await send({
        url: base + path,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(key === undefined ? {} : { 'idempotency-key': key })
        },
        signal: ending.signal
      })
      wasReached = true
      // The response to an aborted call is ignored.
      ending.signal.throwIfAborted()
      onResponse?.(response, path)
      if (isRedirect(response)) throw redirectErrorOf(response)
      const result = await read(response, attempt)
      isRead = true
      return result
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason
      // Both fetch and an interrupted body throw this; wrong arguments were reported before.
      if (!(error instanceof TypeError)) throw error
      const lost = connectionErrorOf(error, base, wasReached)
      wasReached ||= lost.code !== UNREACHABLE
      throw lost
    } finally {
      clearTimeout(timer)
      if (!lasting || !isRead) signal?.removeEventListener('abort', stop)
    }
  }

  const call = async (given: Call): Promise<unknown> => {
    const { keyed = false, repeatable = true, lasting = false, retries = retry.retries } = given
    const { signal, release } = joinSignals(clientSignal, given.signal)
    const call = signal === undefined ? given : { ...given, signal }
    // A key promises that the retry sends the same; a consumed stream cannot.
    const key = keyed && repeatable ? crypto.randomUUID() : undefined
    try {
      const result = await withRetries(async (attempt) => await tryOnce(call, key, attempt), {
        ...retry,
        retries: repeatable ? retries : 0,
        signal,
        onRetry
      })
      if (!lasting) release()
      return result
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    platform,
    fetch,
    isOwnFetch,
    call,
    request: async <T>(
      method: 'GET' | 'POST' | 'DELETE',
      path: string,
      answer: Answer<T>,
      { accept, ...options }: CallOptions & { accept?: string }
    ) =>
      (await call({
        ...options,
        path,
        headers: accept === undefined ? {} : { accept },
        send: async ({ url, ...init }) => await fetch(url, { method, ...init }),
        read: async (response, attempt) => {
          // The previous attempt had succeeded, and its reply was lost.
          if (method === 'DELETE' && response.status === 404 && attempt > 1) return undefined
          return await readAnswer(response, answer)
        }
      })) as T,
    patch: async <T>(
      path: string,
      body: unknown,
      answer: Answer<T>,
      { accept, ...options }: CallOptions & { accept?: string }
    ) =>
      (await call({
        ...options,
        path,
        headers: { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) },
        send: async ({ url, ...init }) =>
          await fetch(url, { method: 'PATCH', body: JSON.stringify(body), ...init }),
        read: async (response) => await readAnswer(response, answer)
      })) as T,
    post: async <T>(
      path: string,
      body: unknown,
      answer: Answer<T>,
      { accept, ...options }: CallOptions & { accept?: string }
    ) =>
      (await call({
        timeoutMs: AI_TIMEOUT_MS,
        ...options,
        path,
        keyed: true,
        headers: { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) },
        send: async ({ url, ...init }) =>
          await fetch(url, { method: 'POST', body: JSON.stringify(body), ...init }),
        read: async (response) => await readAnswer(response, answer)
      })) as T
  }
}
