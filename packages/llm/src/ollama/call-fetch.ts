import type { Readable } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { ModelError } from '../model-error.js'
import type { Call } from '../transport/call.js'
import { connectionFailure, MAX_ERROR_BYTES, MAX_WHOLE_BYTES, readUpTo } from '../transport/connections.js'
import { responseFailure } from '../transport/response-failure.js'
import { jsonLines } from './json-lines.js'

export interface CallFetchOptions {
  call: Call
  connections: Dispatcher
  /**
   * `lines`: a streamed response, with a timeout and a limit for each line. `whole`: one small JSON document.
   */
  body: { kind: 'lines'; idleMs: number; maxLineBytes: number } | { kind: 'whole' }
}

/**
 * A `fetch` for one call of the `ollama` client: its connection is closed as soon as the call's signal
 * aborts, and failures are typed before the client sees them.
 */
export function createCallFetch({ call, connections, body }: CallFetchOptions): typeof fetch {
  const { signal } = call

  async function* guarded(
    response: Readable,
    idleMs: number,
    maxLineBytes: number
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* jsonLines(response, {
        maxLineBytes,
        onLine: () => {
          call.arrived()
        },
        onWait: () => {
          call.expectWithin(idleMs, 'next token')
        }
      })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof ModelError
        ? error
        : new ModelError('cut-off', 'the model runtime closed the connection in mid-answer', { cause: error })
    }
  }

  return async (input, init) => {
    try {
      const { statusCode, body: response } = await request(input instanceof Request ? input.url : input, {
        dispatcher: connections,
        signal,
        method: (init?.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: init?.headers as Record<string, string>,
        ...(init?.body === undefined ? {} : { body: init.body as string })
      })
      if (statusCode !== 200) {
        throw responseFailure(statusCode, (await readUpTo(response, MAX_ERROR_BYTES)).toString('utf8'))
      }
      return body.kind === 'lines'
        ? asResponse(guarded(response, body.idleMs, body.maxLineBytes))
        : new Response(await readUpTo(response, MAX_WHOLE_BYTES), { status: statusCode })
    } catch (error) {
      throw connectionFailure(error, signal)
    }
  }
}

/**
 * The part of a streamed response that `ollama` uses. A web stream in between would cost as much as all other
 * steps of a short response.
 */
function asResponse(pieces: AsyncGenerator<Uint8Array>): Response {
  const reader = { read: async () => await pieces.next(), releaseLock: () => {} }
  return { ok: true, status: 200, body: { getReader: () => reader } } as unknown as Response
}
