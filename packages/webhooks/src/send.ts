import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { AddressPolicy } from './address-policy.js'
import { hostOf, parseEndpointUrl, RefusedUrlError } from './endpoint-url.js'
import { resolveAllowed, type Resolve } from './resolve.js'

export interface SendOptions {
  url: string
  headers: Record<string, string>
  body: string
  policy: AddressPolicy
  resolve: Resolve
  signal: AbortSignal
  /** Default 10 s, from the lookup to the end of the response. */
  timeoutMs?: number
  /** For tests, which use their own certificates. */
  ca?: string
}

export interface SendResult {
  /** Null without a response. */
  status: number | null
  durationMs: number
  error: string | null
  /** The first kilobyte of the response. */
  response: string | null
}

export const MAX_REQUEST_BYTES = 65_536
const MAX_RESPONSE_BYTES = 1_024
const MAX_HEADER_BYTES = 16_384
const TIMEOUT_MS = 10_000
/** The status is known: an endpoint that trickles its body must not keep a worker's slot. */
const BODY_TIMEOUT_MS = 1_000

/** Sends one POST request. Never throws: the result contains the error. Does not follow redirects. */
export async function sendWebhook(options: SendOptions): Promise<SendResult> {
  const startedAt = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAt)
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const signal = AbortSignal.any([options.signal, deadline])
  try {
    const { status, response } = await post(options, signal)
    return { status, durationMs: durationMs(), error: null, response }
  } catch (error) {
    options.signal.throwIfAborted()
    const text = deadline.aborted ? 'no response in time' : reasonOf(error)
    return { status: null, durationMs: durationMs(), error: text, response: null }
  }
}

async function post(
  { url: text, headers, body, policy, resolve: lookUp, ca }: SendOptions,
  signal: AbortSignal
): Promise<{ status: number; response: string }> {
  const url = parseEndpointUrl(text, policy)
  if (Buffer.byteLength(body) > MAX_REQUEST_BYTES) throw new Error('the event is too large')
  const addresses = await untilAborted(resolveAllowed(hostOf(url), policy, lookUp), signal)
  const request: RequestOptions & { ca?: string } = {
    method: 'POST',
    // A new connection to the address that was checked. The name stays in the Host header and in TLS.
    agent: false,
    lookup: lookupOf(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Filewright-Webhooks/1',
      connection: 'close'
    },
    ...(ca === undefined ? {} : { ca })
  }
  return await new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    let hasResponse = false
    const sent = send(url, request, (response) => {
      hasResponse = true
      const trickling = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS)
      firstKilobyte(response, signal)
        .then((first) => {
          resolve({ status: response.statusCode ?? 0, response: first })
          sent.destroy()
        }, reject)
        .finally(() => clearTimeout(trickling))
    })
    sent.on('error', (error) => {
      if (!hasResponse) reject(error)
    })
    // If the response switches protocols, the connection closes without an error and without a response
    // event.
    sent.on('close', () => {
      if (!hasResponse) reject(new Error('the connection ended without a response'))
    })
    sent.end(body)
  })
}

/** The status has already arrived. An interrupted or endless body does not change it. */
async function firstKilobyte(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_RESPONSE_BYTES || signal.aborted) break
    }
  } catch {}
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES)
  // PostgreSQL cannot store U+0000, and the response must not control an operator's terminal.
  return bytes.toString('utf8').replace(/[^\x20-\x7e\n\t\u00a0-\uffff]/g, '?')
}

const lookupOf =
  (addresses: string[]): LookupFunction =>
  (_name, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const [first] = found
    if (options.all === true) callback(null, found)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** A code or a short sentence. Never a stack, and never the address to which a name resolved. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedUrlError) return `the URL ${error.message}`
  const { code, message } = error as NodeJS.ErrnoException
  return (code ?? message).slice(0, 200)
}
