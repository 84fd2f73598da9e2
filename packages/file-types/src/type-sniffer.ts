import { extname } from 'node:path/posix'
import { binaryType, isKnownBinary, isPdfBehindJunk, typeOfPage } from './binary-type.js'
import { charsetOf } from './charset.js'
import { mayHoldEncodedFile } from './encoded-file.js'
import { extensionTable } from './extension-table.js'
import { textImageType } from './image-headers.js'
import { iso2022Charset } from './iso-2022.js'
import { createSampler, type Sample } from './sample.js'
import { asSupportedBinary, type DetectedType, type Detection } from './supported-types.js'
import { createTextCheck } from './text-check.js'
import { textType } from './text-type.js'
import type { TextEncoding, TextVerdict } from './text-verdict.js'
import { decodeUtf32 } from './utf-checks.js'

export interface TypeSniffer {
  /** Takes the next bytes of the file; the chunk's memory may be reused afterwards. */
  update: (chunk: Uint8Array) => void
  /** Call once, after the last byte. Never rejects. */
  finish: (name: string) => Promise<Detection>
  /** Whether all of it is text of at most 64 KiB without a file to unpack. Call after `finish`. */
  isPlain: () => boolean
}

/** A few bytes of a JPEG can pass for 8-bit text; text that starts like this is unreadable anyway. */
function isJpeg(head: Buffer): boolean {
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff
}

function decoded(head: Buffer, encoding: TextEncoding): string {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(head, encoding)
  // The decoder drops the byte order mark, and a truncated character at the end of the head does no harm.
  return new TextDecoder(encoding === '8-bit' ? 'latin1' : encoding === '7-bit' ? 'utf-8' : encoding).decode(
    head
  )
}

/** Whether text with rare characters is text after all. */
async function isBelievable({ encoding }: TextVerdict, sample: Sample, name: string): Promise<boolean> {
  if (encoding === '7-bit') return iso2022Charset(sample.head) !== null
  return !(await isKnownBinary(sample, name))
}

const AR_START = '!<arch>\n'

/** Documents, images and archives that may consist of text characters only. */
function binaryInText(sample: Sample, name: string): DetectedType | null {
  // A source file that contains a whole PDF is a source file.
  const isPdf = !extensionTable.has(extname(name).slice(1).toLowerCase()) && isPdfBehindJunk(sample)
  if (sample.head.toString('latin1', 0, AR_START.length) === AR_START) {
    return asSupportedBinary('application/x-unix-archive')
  }
  const type = typeOfPage(sample.head) ?? (isPdf ? 'application/pdf' : textImageType(sample, name))
  if (type !== null) return asSupportedBinary(type)
  // PostScript libraries, unlike documents, do not start with "%!".
  return /\.e?ps$/i.test(name) ? asSupportedBinary('application/postscript') : null
}

/**
 * Text is checked first and by every byte: a file without a NUL or stray control character is not an
 * executable, image or archive, whatever letters it starts with ("MZ", "BM", "GIF"). Everything else must be
 * identified by its bytes.
 */
export function createTypeSniffer(): TypeSniffer {
  const sampler = createSampler()
  const textCheck = createTextCheck()
  let plain: Sample | null = null

  return {
    update(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      sampler.update(bytes)
      textCheck.update(bytes)
    },
    async finish(name) {
      const sample = sampler.finish()
      const verdict = textCheck.finish()
      const isText =
        verdict !== null &&
        !isJpeg(sample.head) &&
        (verdict.doubtful !== true || (await isBelievable(verdict, sample, name)))
      if (!isText) return await binaryType(sample, name)
      const binary = binaryInText(sample, name)
      if (binary !== null) return binary
      const text = decoded(sample.head, verdict.encoding)
      if (verdict.charset === 'utf-8') plain = sample
      return { ...textType(name, text), charset: await charsetOf(verdict, sample.head, text) }
    },
    isPlain: () => plain !== null && plain.size === plain.head.length && !mayHoldEncodedFile(plain.head)
  }
}
