import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createTypeSniffer, type Detection } from '@filewright/file-types'
import { AppError } from '@filewright/runtime'
import { malformedForm, tooLarge } from './rejected-upload.js'

export interface ByteMeter {
  /**
   * The same bytes, measured as they pass. Throws INVALID_UPLOAD beyond the limit, and REQUEST_TIMEOUT when
   * the client stops sending.
   */
  bytes: AsyncIterable<Uint8Array>
  /** Valid once `bytes` has ended. */
  result: () => { sizeBytes: number; sha256: string }
  detect: (name: string) => Promise<Detection>
  /** Call after `detect`: whether it is a small text with no file in it to unpack. */
  isPlain: () => boolean
}

export interface ByteMeterOptions {
  maxBytes: number
  idleTimeoutMs: number
}

/** Computes the size, sha256 and type of a body on its way to the store, so that no byte is read twice. */
export function createByteMeter(body: Readable, { maxBytes, idleTimeoutMs }: ByteMeterOptions): ByteMeter {
  const hash = createHash('sha256')
  const sniffer = createTypeSniffer()
  let sizeBytes = 0

  async function* measure(): AsyncGenerator<Uint8Array> {
    const expectMore = (): NodeJS.Timeout =>
      setTimeout(
        () => body.destroy(new AppError('REQUEST_TIMEOUT', `no byte of the body for ${idleTimeoutMs} ms`)),
        idleTimeoutMs
      )
    let idle = expectMore()
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        // Time spent in the store does not count as the client's silence.
        clearTimeout(idle)
        sizeBytes += chunk.length
        if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
        hash.update(chunk)
        sniffer.update(chunk)
        yield chunk
        idle = expectMore()
      }
    } catch (error) {
      if (error instanceof AppError) throw error
      throw malformedForm('the body ended before the form did', error)
    } finally {
      clearTimeout(idle)
    }
  }

  return {
    bytes: measure(),
    result: () => ({ sizeBytes, sha256: hash.digest('hex') }),
    detect: async (name) => await sniffer.finish(name),
    isPlain: sniffer.isPlain
  }
}
