import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { ModelError } from '../model-error.js'

export const MAX_ERROR_BYTES = 64 * 1024
export const MAX_WHOLE_BYTES = 4 * 1024 * 1024

/** Kept between calls. Connecting has its own deadline, separate from the wait for the first token. */
export function createConnections({ connectMs }: { connectMs: number }): Dispatcher {
  return new Agent({ connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0 })
}

/** Stops at the limit instead of failing: an error page is only quoted in part. */
export async function readUpTo(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Lost connections, in the messages of Node and undici. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Why a request got no response. */
export function connectionFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof ModelError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return new ModelError(
    CUT_OFF.has(code) ? 'cut-off' : 'down',
    `the model runtime cannot be reached: ${message}`,
    { cause: error }
  )
}
