import { abortable, linkSignals, type LinkedSignal } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import { StorageFailure } from '../remote/storage-failure.js'

export interface GcsRequest {
  url: URL
  method: string
  headers?: Record<string, string>
  body?: Uint8Array
  signal?: AbortSignal | undefined
  timeoutMs: number
  /** False for hosts that must not get the access token. Default true. */
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
  /**
   * Request and complete response within the deadline. Statuses below 500 except 408 and 429 are returned,
   * others are thrown as StorageFailure.
   */
  exchange: (request: GcsRequest) => Promise<GcsReply>
  /** Like `exchange`, but the deadline and the signal end with the headers: the caller reads the body. */
  open: (request: GcsRequest) => Promise<OpenReply>
}

export interface GcsHttpDeps {
  authorize: () => Promise<Record<string, string>>
}

/**
 * Bytes are transferred by Node's own fetch, not by the client library: the library's reads hang when the
 * connection is cut, its aborted writes stay open, and destroying one of its streams destroys the agent that
 * all others use.
 */
export function createGcsHttp({ authorize }: GcsHttpDeps): GcsHttp {
  /** The metadata server that issues tokens may hang, and the library has no timeout for it. */
  async function authorized(signal: AbortSignal): Promise<Record<string, string>> {
    return await abortable(authorize(), signal, () => new Error('no access token in time'))
  }

  async function begin(request: GcsRequest, signal: AbortSignal): Promise<Response> {
    const permission = request.authenticated === false ? {} : await authorized(signal)
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...permission },
      signal,
      // 308 means "resume incomplete" here and is not a redirect.
      redirect: 'manual',
      ...(request.body === undefined ? {} : { body: request.body as Uint8Array<ArrayBuffer> })
    })
    if (response.status < 500 && response.status !== 408 && response.status !== 429) return response
    const text = await response.text().catch(() => '')
    throw new StorageFailure(`${request.method} answered ${response.status}: ${text.slice(0, 200)}`, {
      status: response.status,
      retryAfterMs: retryAfterOf(response.headers)
    })
  }

  /** The exchange outlives the function that opens it, because its body is read later. */
  async function withinTime<T>(
    request: GcsRequest,
    work: (exchange: LinkedSignal) => Promise<T>
  ): Promise<T> {
    const { signal, timeoutMs, method } = request
    throwIfAborted(signal)
    const exchange = linkSignals(signal)
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      exchange.abort()
    }, timeoutMs)
    try {
      return await work(exchange)
    } catch (error) {
      exchange.abort()
      throwIfAborted(signal)
      const late = `${method} got no answer within ${timeoutMs} ms`
      if (timedOut) throw new StorageFailure(late, { cause: error, timedOut })
      if (error instanceof StorageFailure) throw error
      throw new StorageFailure(`${method} failed: ${describe(error)}`, { cause: error })
    } finally {
      clearTimeout(timer)
      exchange.unlink()
    }
  }

  return {
    exchange: async (request) =>
      await withinTime(request, async ({ signal }) => {
        const response = await begin(request, signal)
        return { status: response.status, headers: response.headers, text: await response.text() }
      }),
    open: async (request) =>
      await withinTime(request, async ({ signal, abort }) => {
        const response = await begin(request, signal)
        return {
          response,
          abort: () => abort()
        }
      })
  }
}

function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined
}

/** fetch only reports "fetch failed"; the reason is in its cause. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message
  return error instanceof Error ? error.message : String(error)
}
