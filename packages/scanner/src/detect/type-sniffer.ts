import { binaryType, typeOfPage } from './binary-type.js'
import { createSampler } from './sample.js'
import { asSupportedBinary, type DetectedType } from './supported-types.js'
import { createTextCheck, type TextEncoding } from './text-check.js'
import { textType } from './text-type.js'

export interface TypeSniffer {
  /** Takes the next bytes of the file; the chunk's memory may be used again afterwards. */
  update: (chunk: Uint8Array) => void
  /** Call once, after the last byte. Null: the file is of no supported kind. Rejects for no input. */
  finish: (name: string) => Promise<DetectedType | null>
}

/** A few bytes of a JPEG can pass for 8-bit text; a text that begins with these cannot be read by anyone. */
function isJpeg (head: Buffer): boolean {
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff
}

function decoded (head: Buffer, encoding: TextEncoding): string {
  // The decoder drops the byte order mark, and a character cut at the end of the head does no harm.
  return new TextDecoder(encoding === '8-bit' ? 'latin1' : encoding).decode(head)
}

/**
 * Text is judged first and by every byte: a file without a NUL or stray control character is no executable, image or archive,
 * whatever letters it begins with ("MZ", "BM", "GIF"). All else must be identified by its bytes.
 */
export function createTypeSniffer (): TypeSniffer {
  const sampler = createSampler()
  const textCheck = createTextCheck()

  return {
    update (chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      sampler.update(bytes)
      textCheck.update(bytes)
    },
    async finish (name) {
      const sample = sampler.finish()
      const encoding = textCheck.finish()
      if (encoding === null || isJpeg(sample.head)) return await binaryType(sample, name)
      const page = typeOfPage(sample.head)
      return page === null ? textType(name, decoded(sample.head, encoding)) : asSupportedBinary(page)
    }
  }
}
