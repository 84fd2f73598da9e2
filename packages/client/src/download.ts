import { badAnswer, count, fileName, line, sha256 as hash } from './checks.js'
import { IntegrityError } from './errors.js'
import type { Platform } from './platform.js'

export interface Download {
  name: string
  type: string
  /** The size of the whole file. */
  size: number
  /** The offset of the body in the file. */
  from: number
  sha256: string
  /** Fails at its end when bytes are missing or, in Node.js and for a download from the first byte, wrong. */
  body: ReadableStream<Uint8Array>
  /** All of it, in memory; also verified in browsers. */
  bytes: () => Promise<Uint8Array>
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw badAnswer('the name in Content-Disposition is not encoded as it should be')
  }
}

export function nameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decoded(encoded)
  return (
    /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1') ??
    /filename=([^;]+)/.exec(disposition)?.[1] ??
    'download'
  )
}

const wrong = (what: string): IntegrityError => new IntegrityError(what, { code: 'damaged' })

export function downloadOf(
  response: Response,
  platform: Platform,
  onProgress: (received: number) => void
): Download {
  const { headers } = response
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')
  const length = Number(headers.get('content-length'))
  const from = range === null ? 0 : Number(range[1])
  const size = range === null ? length : Number(range[2])
  const sha256 = (headers.get('etag') ?? '').replaceAll('"', '')
  const name = nameOf(headers.get('content-disposition') ?? '')
  const type = headers.get('content-type') ?? ''
  fileName(name, 'the name in Content-Disposition')
  line(type, 'Content-Type')
  hash(sha256, 'the hash in ETag')
  for (const number of [from, size, length]) count(number, 'the size in Content-Range or Content-Length')
  const hasher = from === 0 ? platform.createHasher() : null
  let received = 0

  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      received += chunk.byteLength
      if (received > length) throw wrong(`The download has more than ${length} bytes`)
      hasher?.update(chunk)
      controller.enqueue(chunk)
      onProgress(from + received)
    },
    flush: () => {
      if (received !== length) throw wrong(`The download ended after ${received} of ${length} bytes`)
      if (hasher !== null && hasher.hex() !== sha256) {
        throw wrong('The downloaded bytes are not those of the file')
      }
    }
  })
  const body = (response.body ?? (new Response('').body as ReadableStream<Uint8Array>)).pipeThrough(check)

  return {
    name,
    type,
    size,
    from,
    sha256,
    body,
    bytes: async () => {
      const bytes = new Uint8Array(await new Response(body).arrayBuffer())
      // Browsers have no hash functions outside secure contexts.
      if (hasher === null && from === 0 && (crypto.subtle as SubtleCrypto | undefined) !== undefined) {
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        if ([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== sha256) {
          throw wrong('The downloaded bytes are not those of the file')
        }
      }
      return bytes
    }
  }
}
