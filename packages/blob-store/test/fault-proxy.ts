import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Resets the connection after so many bytes of the body; below 0, before the headers. */
  resetAt?: number
  /** Sends nothing more after so many bytes of the body; below 0, not even the headers. */
  stallAt?: number
}

export interface Fault<Operation> {
  on: Operation
  /** How often; default once. */
  times?: number
  /** How many such requests succeed first. */
  after?: number
  /** Responds without forwarding to the server. `reset` ends the connection before the last byte is read. */
  instead?: 'stall' | 'reset' | Reply
  send?: (body: Buffer) => Buffer
  /** Changes the response, after the server has executed the request. */
  change?: (reply: Reply) => Reply
}

export interface FaultProxy<Operation> {
  endpoint: string
  fail: (fault: Fault<Operation>) => { hits: () => number }
  readonly requests: Operation[]
  /** The headers of the last such request. */
  headersOf: (operation: Operation) => IncomingHttpHeaders | undefined
  activeRequests: () => number
  close: () => Promise<void>
}

export interface Forwarded {
  method: string
  url: URL
  /** Without those of the connection. */
  headers: Record<string, string>
  body: Buffer
}

export interface FaultProxyOptions<Operation> {
  /** Address of the real server, without its path. */
  upstream: string
  operationOf: (method: string, url: URL) => Operation
  /** Default: `exchange`. */
  forward?: (request: Forwarded) => Promise<Reply>
}

/** A proxy between the driver and a real server. */
export async function startFaultProxy<Operation>(
  options: FaultProxyOptions<Operation>
): Promise<FaultProxy<Operation>> {
  const { upstream, operationOf, forward = exchange } = options
  const faults: Array<Fault<Operation> & { seen: number; hits: number }> = []
  const requests: Operation[] = []
  const lastHeaders = new Map<Operation, IncomingHttpHeaders>()
  let active = 0

  function faultFor(operation: Operation): Fault<Operation> | undefined {
    const due = faults.find((fault) => {
      if (fault.on !== operation || fault.hits >= (fault.times ?? 1)) return false
      return fault.seen++ >= (fault.after ?? 0)
    })
    if (due !== undefined) due.hits++
    return due
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', upstream)
    const method = incoming.method ?? 'GET'
    const operation = operationOf(method, url)
    requests.push(operation)
    lastHeaders.set(operation, incoming.headers)
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
    const reply = await forward({
      method,
      url,
      headers: headersWithoutConnection(incoming),
      body: fault?.send?.(body) ?? body
    })
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
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (fault) => {
      const entry = { ...fault, seen: 0, hits: 0 }
      faults.push(entry)
      return { hits: () => entry.hits }
    },
    requests,
    headersOf: (operation) => lastHeaders.get(operation),
    activeRequests: () => active,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
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

function headersWithoutConnection({ headers }: IncomingMessage): Record<string, string> {
  const own = ['host', 'connection', 'content-length']
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.includes(name) ? [] : [[name, String(value)]]))
  )
}

export async function exchange({ method, url, headers, body }: Forwarded): Promise<Reply> {
  const sent = sendRequest(url, {
    method,
    headers: { ...headers, 'content-length': body.length },
    agent: false
  })
  // Swift sends the end of a chunked body after its headers to HEAD, which Node.js reports late.
  sent.on('error', () => {})
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const headersThere = response.headers as Record<string, string>
  // A changed body gets its real length, unless a test sets a false one.
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
