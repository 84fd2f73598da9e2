import { createKeyLocks } from '../src/s3/key-locks.js'
import { exchange, startFaultProxy, type FaultProxy, type Forwarded, type Reply } from './fault-proxy.js'
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

export interface S3FaultProxy extends FaultProxy<Operation> {
  /** What it does with `If-None-Match`, which Swift's S3 interface refuses for a PUT. Default `honour`. */
  conditions: 'honour' | 'ignore' | 'pass'
  /** How far the server's clock is ahead; requests from another time are refused as Amazon does. */
  clockOffsetMs: number
  /** Which key signed each request. */
  readonly accessKeyIds: string[]
}

/** Signs each request again, because it may have changed it. */
export async function startS3FaultProxy(upstream: S3TestServer): Promise<S3FaultProxy> {
  const locks = createKeyLocks()
  const accessKeyIds: string[] = []
  const serverDate = (): string => new Date(Date.now() + s3.clockOffsetMs).toUTCString()

  async function sign({ method, url, headers, body }: Forwarded): Promise<Reply> {
    const own = ['authorization', 'x-amz-date', 'x-amz-content-sha256']
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
    const reply = await exchange({
      method,
      url,
      headers: signed(upstream, { method, url, headers: rest }),
      body
    })
    return { ...reply, headers: { ...reply.headers, date: serverDate() } }
  }

  const proxy = await startFaultProxy<Operation>({
    upstream: upstream.endpoint,
    operationOf,
    forward: async (request) => {
      const { method, url } = request
      const headers = { ...request.headers }
      accessKeyIds.push(/Credential=([^/]+)/.exec(headers['authorization'] ?? '')?.[1] ?? '')
      if (isSkewed(headers, s3.clockOffsetMs)) {
        return { ...errorReply(403, 'RequestTimeTooSkewed'), headers: { date: serverDate() } }
      }
      const isConditional = headers['if-none-match'] === '*' && method !== 'GET' && method !== 'HEAD'
      if (isConditional && s3.conditions !== 'pass') delete headers['if-none-match']
      const forward = async (): Promise<Reply> => {
        if (isConditional && s3.conditions === 'honour') {
          const head = { method: 'HEAD', url: new URL(url.pathname, url), headers: {}, body: Buffer.alloc(0) }
          if ((await sign(head)).status === 200) return errorReply(412, 'PreconditionFailed')
        }
        return await sign({ ...request, headers })
      }
      return isConditional ? await locks.run(url.pathname, forward) : await forward()
    }
  })
  const s3: S3FaultProxy = { ...proxy, conditions: 'honour', clockOffsetMs: 0, accessKeyIds }
  return s3
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

function isSkewed(headers: Record<string, string>, offsetMs: number): boolean {
  const text = headers['x-amz-date'] ?? ''
  const time = Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Math.abs(time - (Date.now() + offsetMs)) > 15 * 60_000
}
