import { StorageFailure } from '../remote/storage-failure.js'

/** A listing page of 1,000 entries has about 400 KB. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024

export interface HttpRequest {
  method: string
  query?: Record<string, unknown>
}

export interface HttpResponse {
  statusCode: number
  body?: unknown
}

/**
 * Reads every reply except a blob's bytes completely before the SDK sees it: the deadline of a call includes the
 * reply's body, its size is limited, and an error inside a 200 is found.
 */
export async function checkReply(request: HttpRequest, response: HttpResponse): Promise<void> {
  if (isMedia(request, response)) return
  const bytes = await collect(response.body)
  response.body = bytes
  if (isSuccess(response.statusCode)) checkXml(response, bytes)
}

function isMedia({ method, query = {} }: HttpRequest, { statusCode }: HttpResponse): boolean {
  const operation = Object.keys(query).filter((name) => name !== 'x-id')
  return method === 'GET' && operation.length === 0 && isSuccess(statusCode)
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

async function collect(body: unknown): Promise<Uint8Array> {
  if (body === undefined || body instanceof Uint8Array) return body ?? new Uint8Array()
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of body as AsyncIterable<Uint8Array>) {
    sizeBytes += part.length
    if (sizeBytes > MAX_REPLY_BYTES) throw new StorageFailure('a reply is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Amazon sends 200 before a multipart upload is complete, and an error in the body if it fails. */
function checkXml(response: HttpResponse, bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString().trim()
  if (text === '') return
  const root = /^(?:<\?xml[^>]*\?>)?\s*<([\w:.-]+)/.exec(text)?.[1]
  const isWhole =
    root !== undefined && (text.endsWith(`</${root}>`) || /^(?:<\?xml[^>]*\?>)?\s*<[^<>]*\/>$/.test(text))
  if (!isWhole) throw new StorageFailure('a reply is truncated or is not XML')
  if (root === 'Error') response.statusCode = 500
}
