import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GcsFault } from './gcs-faults.js'

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(text)
    })
    .end(text)
}

/** Google's error body. */
export function sendReason(response: ServerResponse, status: number, reason: string): void {
  sendJson(response, status, {
    error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] }
  })
}

export function sendEmpty(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {}
): void {
  response.writeHead(status, { ...headers, 'content-length': 0 }).end()
}

/** The client's connection is reset or closed without a response. */
export function drop(response: ServerResponse): void {
  response.destroy()
}

/** The request's body, or null when the fault has already decided the request. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  fault: GcsFault | undefined
): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if ((fault?.kind === 'cut' || fault?.kind === 'stall') && bytes >= fault.afterBytes) break
    }
  } catch {
    return null
  }
  if (fault?.kind === 'cut' || fault?.kind === 'stall') {
    // Discards the rest: a socket that is not read does not show that its client has gone.
    request.resume()
    await breakOff(response, fault)
    return null
  }
  if (fault?.kind === 'late' && !response.destroyed) await once(response, 'close')
  if (fault?.kind !== 'status') return Buffer.concat(chunks)
  if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', fault.retryAfterSeconds)
  sendReason(response, fault.status, 'backendError')
  return null
}

/** The bytes, as far as the fault lets them through. */
export async function sendBytes(
  response: ServerResponse,
  bytes: Buffer,
  fault: GcsFault | undefined
): Promise<void> {
  if (fault?.kind !== 'cut' && fault?.kind !== 'stall') {
    response.end(bytes)
    return
  }
  response.flushHeaders()
  await new Promise<void>((resolve) => {
    response.write(bytes.subarray(0, fault.afterBytes), () => resolve())
  })
  await breakOff(response, fault)
}

async function breakOff(response: ServerResponse, { kind }: GcsFault): Promise<void> {
  if (kind === 'cut') drop(response)
  else if (!response.destroyed) await once(response, 'close')
}
