import type { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Agent, request, type Dispatcher } from 'undici'
import { ModelError } from '../model-error.js'
import type { Call } from './call.js'
import { jsonLines } from './json-lines.js'
import { responseFailure } from './response-failure.js'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_WHOLE_BYTES = 4 * 1024 * 1024

export interface CallFetchOptions {
  call: Call
  connections: Dispatcher
  /** `lines`: a streamed answer, each line waited for and bounded. `whole`: one small JSON document. */
  body: { kind: 'lines'; idleMs: number; maxLineBytes: number } | { kind: 'whole' }
}

/**
 * Kept between calls. Connecting has a deadline apart from the wait for the first token, for which a call has
 * a clock of its own.
 */
export function createConnections({ connectMs }: { connectMs: number }): Dispatcher {
  return new Agent({ connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0 })
}

/** Stops at the limit rather than failing: an error page is only ever quoted in part. */
async function readUpTo(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Of a connection that was there and went away, in the words of Node and of undici. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * A `fetch` for one call of the `ollama` client: its connection is closed the moment the call's signal fires,
 * and failures are typed before the client sees them.
 */
export function createCallFetch({ call, connections, body }: CallFetchOptions): typeof fetch {
  const { signal } = call

  function failure(error: unknown): unknown {
    if (signal.aborted) return signal.reason
    if (error instanceof ModelError) return error
    const { code = '', message } = error as NodeJS.ErrnoException
    return new ModelError(
      CUT_OFF.has(code) ? 'cut-off' : 'down',
      `the model runtime cannot be reached: ${message}`,
      { cause: error }
    )
  }

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
      const content =
        body.kind === 'lines'
          ? (ReadableStream.from(
              guarded(response, body.idleMs, body.maxLineBytes)
            ) as ReadableStream<Uint8Array>)
          : await readUpTo(response, MAX_WHOLE_BYTES)
      return new Response(content, { status: statusCode })
    } catch (error) {
      throw failure(error)
    }
  }
}
