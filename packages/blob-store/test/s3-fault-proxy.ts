import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyLocks } from '../src/s3/key-locks.js'
import { signed } from './s3-signer.js'
import type { S3TestServer } from './s3-test-server.js'

export type Operation =
  | 'put'
  | 'start'
  | 'part'
  | 'complete'
  | 'abort'
  | 'delete'
  | 'head'
  | 'get'
  | 'list'
  | 'uploads'

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Resets the connection after so many bytes of the body; below 0, before the headers. */
  resetAt?: number
  /** Sends nothing more after so many bytes of the body; below 0, not even the headers. */
  stallAt?: number
}

export interface S3Fault {
  on: Operation
  /** How often; default once. */
  times?: number
  /** How many such requests pass before. */
  after?: number
  /** Answers without asking the server. `reset` ends the connection before the last byte was read. */
  instead?: 'stall' | 'reset' | Reply
  /** Changes what is sent to the server. */
  send?: (body: Buffer) => Buffer
  /** Changes what the server answered, after it did what it was asked for. */
  change?: (reply: Reply) => Reply
}

export interface S3FaultProxy {
  endpoint: string
  fail: (fault: S3Fault) => { hits: () => number }
  /** What it does with `If-None-Match`, which Swift's S3 interface refuses for a PUT. Default `honour`. */
  conditions: 'honour' | 'ignore' | 'pass'
  /** How far the server's clock is ahead; requests from another time are refused as Amazon does. */
  clockOffsetMs: number
  readonly requests: Operation[]
  /** Which key signed each request. */
  readonly accessKeyIds: string[]
  /** Of the last such request. */
  headersOf: (operation: Operation) => IncomingHttpHeaders | undefined
  activeRequests: () => number
  close: () => Promise<void>
}

/** Stands between the driver and a real server. */
export async function startS3FaultProxy(upstream: S3TestServer): Promise<S3FaultProxy> {
  const faults: Array<S3Fault & { seen: number; hits: number }> = []
  const locks = createKeyLocks()
  const requests: Operation[] = []
  const accessKeyIds: string[] = []
  const lastHeaders = new Map<Operation, IncomingHttpHeaders>()
  let active = 0

  function faultFor(operation: Operation): S3Fault | undefined {
    const due = faults.find((fault) => {
      if (fault.on !== operation || fault.hits >= (fault.times ?? 1)) return false
      return fault.seen++ >= (fault.after ?? 0)
    })
    if (due !== undefined) due.hits++
    return due
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', upstream.endpoint)
    const method = incoming.method ?? 'GET'
    const operation = operationOf(method, url)
    requests.push(operation)
    lastHeaders.set(operation, incoming.headers)
    accessKeyIds.push(/Credential=([^/]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? '')
    const fault = faultFor(operation)
    if (fault?.instead === 'reset') {
      await readAllButLast(incoming)
      incoming.socket.resetAndDestroy()
      return
    }
    const body = await bodyOf(incoming)
    if (fault?.instead === 'stall') {
      await once(incoming.socket, 'close')
      return
    }
    if (fault?.instead !== undefined) {
      await send(outgoing, fault.instead)
      return
    }
    if (isSkewed(incoming, proxy.clockOffsetMs)) {
      const date = new Date(Date.now() + proxy.clockOffsetMs).toUTCString()
      await send(outgoing, { ...errorReply(403, 'RequestTimeTooSkewed'), headers: { date } })
      return
    }
    const headers = headersOf(incoming)
    const isConditional = headers['if-none-match'] === '*' && method !== 'GET' && method !== 'HEAD'
    if (isConditional && proxy.conditions !== 'pass') delete headers['if-none-match']
    const forward = async (): Promise<Reply> => {
      if (isConditional && proxy.conditions === 'honour') {
        const found = await exchange(upstream, 'HEAD', new URL(url.pathname, url), {}, Buffer.alloc(0))
        if (found.status === 200) return errorReply(412, 'PreconditionFailed')
      }
      return await exchange(upstream, method, url, headers, fault?.send?.(body) ?? body)
    }
    const reply = isConditional ? await locks.run(url.pathname, forward) : await forward()
    await send(outgoing, fault?.change?.(reply) ?? reply, method === 'HEAD')
  }

  const server = createServer((incoming, outgoing) => {
    active++
    outgoing.once('close', () => {
      active--
    })
    incoming.on('error', () => {})
    answer(incoming, outgoing).catch(() => {
      outgoing.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: S3FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (fault) => {
      const entry = { ...fault, seen: 0, hits: 0 }
      faults.push(entry)
      return { hits: () => entry.hits }
    },
    conditions: 'honour',
    clockOffsetMs: 0,
    requests,
    accessKeyIds,
    headersOf: (operation) => lastHeaders.get(operation),
    activeRequests: () => active,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  return proxy
}

export function errorReply(status: number, code: string): Reply {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>from the proxy</Message></Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) }
}

function operationOf(method: string, { searchParams: query }: URL): Operation {
  if (method === 'HEAD') return 'head'
  if (method === 'PUT') return query.has('partNumber') ? 'part' : 'put'
  if (method === 'POST') return query.has('uploads') ? 'start' : 'complete'
  if (method === 'DELETE') return query.has('uploadId') ? 'abort' : 'delete'
  if (query.has('uploads')) return 'uploads'
  return query.has('list-type') ? 'list' : 'get'
}

function isSkewed({ headers }: IncomingMessage, offsetMs: number): boolean {
  const text = String(headers['x-amz-date'] ?? '')
  const time = Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Math.abs(time - (Date.now() + offsetMs)) > 15 * 60_000
}

async function readAllButLast(incoming: IncomingMessage): Promise<void> {
  const wanted = Number(incoming.headers['content-length'] ?? 0) - 1
  let seen = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    seen += (chunk as Buffer).length
    if (seen >= wanted) return
  }
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Without those of the connection, and without the signature. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const own = ['host', 'connection', 'authorization', 'x-amz-date', 'x-amz-content-sha256', 'content-length']
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.includes(name) ? [] : [[name, String(value)]]))
  )
}

async function exchange(
  upstream: S3TestServer,
  method: string,
  url: URL,
  headers: Record<string, string>,
  body: Buffer
): Promise<Reply> {
  const sent = sendRequest(url, {
    method,
    headers: { ...signed(upstream, { method, url, headers }), 'content-length': body.length },
    agent: false
  })
  // Swift sends the end of a chunked body after its headers to HEAD, which Node.js reports late.
  sent.on('error', () => {})
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const headersThere = response.headers as Record<string, string>
  // A changed body has its own length, unless a test lies about it.
  if (method !== 'HEAD') delete headersThere['content-length']
  return { status: response.statusCode ?? 502, headers: headersThere, body: await bodyOf(response) }
}

async function send(outgoing: ServerResponse, reply: Reply, isHead = false): Promise<void> {
  const { status, body, resetAt, stallAt } = reply
  if (resetAt !== undefined && resetAt < 0) {
    outgoing.destroy()
    return
  }
  if (stallAt !== undefined && stallAt < 0) return
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = reply.headers
  outgoing.writeHead(status, { ...(isHead ? {} : { 'content-length': body.length }), ...headers })
  const end = resetAt ?? stallAt
  if (end === undefined) {
    outgoing.end(body)
    return
  }
  outgoing.flushHeaders()
  if (end > 0) await new Promise((resolve) => outgoing.write(body.subarray(0, end), resolve))
  if (resetAt !== undefined) outgoing.socket?.destroy()
}
