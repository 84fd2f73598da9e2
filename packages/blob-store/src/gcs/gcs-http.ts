import { cancelled, throwIfAborted } from '../abort.js'
import { GcsFailure } from './gcs-failure.js'

export interface GcsRequest {
  url: URL
  method: string
  headers?: Record<string, string>
  body?: Uint8Array
  signal?: AbortSignal | undefined
  timeoutMs: number
  /** False for hosts that must not see the access token. Default true. */
  authenticated?: boolean
}

export interface GcsReply {
  status: number
  headers: Headers
  text: string
}

export interface OpenReply {
  response: Response
  /** Ends the transfer and its socket. */
  abort: () => void
}

export interface GcsHttp {
  /** Request and whole reply within the deadline. Statuses below 500 other than 408 and 429 are returned, the rest is thrown as GcsFailure. */
  exchange: (request: GcsRequest) => Promise<GcsReply>
  /** Like `exchange`, but the deadline and the signal end with the headers: the body is the caller's. */
  open: (request: GcsRequest) => Promise<OpenReply>
}

export interface GcsHttpDeps {
  authorize: () => Promise<Record<string, string>>
}

/**
 * Bytes move by Node's own fetch, not by the client library: the library's reads hang when the connection is cut, its aborted writes stay open,
 * and destroying one of its streams takes down the agent that all others use.
 */
export function createGcsHttp ({ authorize }: GcsHttpDeps): GcsHttp {
  async function begin (request: GcsRequest, controller: AbortController): Promise<Response> {
    const permission = request.authenticated === false ? {} : await untilAborted(authorize(), controller.signal)
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...permission },
      signal: controller.signal,
      // 308 means "resume incomplete" here and is no redirect.
      redirect: 'manual',
      ...(request.body === undefined ? {} : { body: request.body as Uint8Array<ArrayBuffer> })
    })
    if (response.status < 500 && response.status !== 408 && response.status !== 429) return response
    const text = await response.text().catch(() => '')
    throw new GcsFailure(`${request.method} answered ${response.status}: ${text.slice(0, 200)}`, {
      status: response.status,
      retryAfterMs: retryAfterOf(response.headers)
    })
  }

  async function withDeadline<T> (request: GcsRequest, work: (controller: AbortController) => Promise<T>): Promise<T> {
    const { signal, timeoutMs, method } = request
    const controller = new AbortController()
    const onAbort = (): void => { controller.abort() }
    throwIfAborted(signal)
    signal?.addEventListener('abort', onAbort, { once: true })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      controller.abort()
    }, timeoutMs)
    try {
      return await work(controller)
    } catch (error) {
      controller.abort()
      if (signal?.aborted === true) throw cancelled(signal)
      const late = `${method} got no answer within ${timeoutMs} ms`
      if (timedOut) throw new GcsFailure(late, { cause: error, timedOut })
      if (error instanceof GcsFailure) throw error
      throw new GcsFailure(`${method} failed: ${describe(error)}`, { cause: error })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    exchange: async (request) => await withDeadline(request, async (controller) => {
      const response = await begin(request, controller)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }),
    open: async (request) => await withDeadline(request, async (controller) => {
      const response = await begin(request, controller)
      return { response, abort: () => { controller.abort() } }
    })
  }
}

function retryAfterOf (headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function describe (error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message
  return error instanceof Error ? error.message : String(error)
}

/** The metadata server that hands out tokens may hang, and the library gives its wait no end. */
async function untilAborted<T> (promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const onAbort = (): void => { reject(new Error('no access token in time')) }
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => { signal.removeEventListener('abort', onAbort) })
  })
}
