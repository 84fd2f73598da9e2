import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ReadableStream } from 'node:stream/web'
import { onAbort } from '@filewright/runtime'
import { ModelError } from '../model-error.js'
import type { Call } from './call.js'
import { jsonLines } from './json-lines.js'
import { responseFailure } from './response-failure.js'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_WHOLE_BYTES = 4 * 1024 * 1024

export interface CallFetchOptions {
  call: Call
  connectMs: number
  /** `lines`: a streamed answer, each line waited for and bounded. `whole`: one small JSON document. */
  body: { kind: 'lines', idleMs: number, maxLineBytes: number } | { kind: 'whole' }
}

/** Stops at the limit rather than failing: an error page is only ever quoted in part. */
async function readUpTo (response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/**
 * A `fetch` for one call of the `ollama` client: one connection of its own that is closed the moment the call's signal fires,
 * a deadline for connecting that is apart from the wait for the first token, and failures that are typed before the client sees
 * them. Node's own fetch has the deadline only through a dispatcher, and opens a new connection after every abort.
 */
export function createCallFetch ({ call, connectMs, body }: CallFetchOptions): typeof fetch {
  const { signal } = call

  async function open (url: URL, init: RequestInit | undefined): Promise<IncomingMessage> {
    signal.throwIfAborted()
    const secure = url.protocol === 'https:'
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method: init?.method ?? 'GET',
      headers: init?.headers as Record<string, string>,
      // No pool: an idle connection that the runtime closes under us is the likeliest way to fail for no reason.
      agent: false
    })
    const stopListening = onAbort(signal, (reason) => { request.destroy(reason as Error) })
    const connecting = setTimeout(() => { request.destroy(new ModelError('down', `no connection to the model runtime within ${connectMs} ms`)) }, connectMs)
    request.once('socket', (socket) => {
      socket.setNoDelay(true)
      socket.once(secure ? 'secureConnect' : 'connect', () => { clearTimeout(connecting) })
    })
    request.once('close', () => {
      clearTimeout(connecting)
      stopListening()
    })
    return await new Promise((resolve, reject) => {
      request.once('response', resolve)
      // Stays on for good: an error after the response is the body's to report, and must not be thrown here.
      request.on('error', reject)
      request.end(init?.body as string | undefined)
    })
  }

  function failure (error: unknown): unknown {
    if (signal.aborted) return signal.reason
    if (error instanceof ModelError) return error
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ECONNRESET' || code === 'EPIPE' ? 'cut-off' : 'down'
    return new ModelError(reason, `the model runtime cannot be reached: ${message}`, { cause: error })
  }

  async function * guarded (response: IncomingMessage, idleMs: number, maxLineBytes: number): AsyncGenerator<Uint8Array> {
    try {
      yield * jsonLines(response as AsyncIterable<Buffer>, {
        maxLineBytes,
        onLine: () => { call.arrived() },
        onWait: () => { call.expectWithin(idleMs, 'next token') }
      })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof ModelError ? error : new ModelError('cut-off', 'the model runtime closed the connection in mid-answer', { cause: error })
    }
  }

  return async (input, init) => {
    try {
      const response = await open(new URL(input instanceof Request ? input.url : input), init)
      const status = response.statusCode ?? 0
      if (status !== 200) throw responseFailure(status, (await readUpTo(response, MAX_ERROR_BYTES)).toString('utf8'))
      const content = body.kind === 'lines'
        ? ReadableStream.from(guarded(response, body.idleMs, body.maxLineBytes)) as ReadableStream<Uint8Array>
        : await readUpTo(response, MAX_WHOLE_BYTES)
      return new Response(content, { status })
    } catch (error) {
      throw failure(error)
    }
  }
}
