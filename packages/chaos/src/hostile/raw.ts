import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

export interface RawOutcome {
  /** Complete responses, in order. */
  answers: RawAnswer[]
  /** The bytes after the last complete response. */
  rest: Buffer
  /** The service closed the connection, not our timeout. */
  closed: boolean
}

export async function open(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  // An end by reset is an end; what came before it counts.
  socket.on('error', () => {})
  if (socket.connecting) await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

export interface ExchangeOptions {
  /** The number of complete responses to wait for. Default: until the service closes the connection. */
  answers?: number
  timeoutMs?: number
  /** The first request is HEAD, so its response has no body, whatever its Content-Length. */
  head?: boolean
  /** Sends FIN: nothing more will come from us. */
  end?: boolean
}

/** Writes raw bytes and returns the response. */
export async function exchange(
  baseUrl: string,
  bytes: Buffer | string,
  options: ExchangeOptions = {}
): Promise<RawOutcome> {
  const { answers: wanted = Infinity, timeoutMs = 30_000, head = false, end = false } = options
  const socket = await open(baseUrl)
  const chunks: Buffer[] = []
  const ended = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (wanted !== Infinity && readAnswers(Buffer.concat(chunks), head).answers.length >= wanted) {
        resolve(true)
      }
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(true)
    })
    socket.once('end', () => resolve(true))
  })
  if (end) socket.end(bytes)
  else socket.write(bytes)
  const closed = await ended
  socket.destroy()
  return { ...readAnswers(Buffer.concat(chunks), head), closed }
}

/**
 * Parses responses like a client: by Content-Length, by chunks, or up to the end. Skips interim responses.
 */
export function readAnswers(bytes: Buffer, head = false): Pick<RawOutcome, 'answers' | 'rest'> {
  const answers: RawAnswer[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return { answers, rest }
    const [line = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0)
    const headers = new Map(
      lines.map((each) => [
        each.slice(0, each.indexOf(':')).toLowerCase(),
        each.slice(each.indexOf(':') + 1).trim()
      ])
    )
    const after = rest.subarray(end + 4)
    if (status >= 100 && status < 200) {
      rest = after
      continue
    }
    const bodyless = (head && answers.length === 0) || status === 204 || status === 304
    const sized = bodyless ? { body: Buffer.alloc(0), bytes: 0 } : bodyIn(after, headers)
    if (sized === null) return { answers, rest }
    answers.push({ status, headers, body: sized.body })
    rest = after.subarray(sized.bytes)
  }
}

function bodyIn(bytes: Buffer, headers: Map<string, string>): { body: Buffer; bytes: number } | null {
  if (headers.get('transfer-encoding') === 'chunked') {
    const parts: Buffer[] = []
    for (let at = 0; ; ) {
      const lineEnd = bytes.indexOf('\r\n', at)
      if (lineEnd < 0) return null
      const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
      if (bytes.length < lineEnd + 2 + size + 2) return null
      if (size === 0) return { body: Buffer.concat(parts), bytes: lineEnd + 4 }
      parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
      at = lineEnd + 2 + size + 2
    }
  }
  const length = Number(headers.get('content-length') ?? bytes.length)
  return bytes.length < length ? null : { body: bytes.subarray(0, length), bytes: length }
}

/**
 * Checks that every failure is one JSON message without internal details. Undefined if there is no problem.
 * @param head the response is to HEAD and has no body
 */
export function problemOfRawAnswer({ status, body }: RawAnswer, head = false): string | undefined {
  if (status < 400) return undefined
  if (status >= 500) return `${status} ${body.toString('utf8', 0, 200)}`
  if (head) return undefined
  try {
    const parsed = JSON.parse(body.toString()) as Record<string, unknown>
    if (Object.keys(parsed).length === 1 && typeof parsed['error'] === 'string') return undefined
  } catch {}
  return `${status} with ${body.toString('utf8', 0, 200)} instead of one sentence`
}
