import type { Decryption } from './encryption.js'
import { decodeStream } from './filters.js'
import { waysToResolve, type IndirectValues } from './indirect-values.js'
import type { Decoded } from './inflate.js'
import { PdfRefusal, type PdfLimits } from './limits.js'
import type { PdfStream } from './objects.js'

export interface EmbeddedFile {
  name: string
  bytes: Uint8Array
  /** The range in the PDF, both ends inclusive. Only if `bytes` account for every byte in it. */
  range?: { start: number; end: number }
}

export interface FoundFile {
  stream: PdfStream
  /** Null if the name is unknown. */
  name: string | null
}

export interface ReadOptions {
  /** The values that the filters refer to. */
  values: IndirectValues
  decryption: Decryption | null
  limits: PdfLimits
}

/** @throws PdfRefusal */
export async function readFiles(
  pdf: Buffer,
  found: FoundFile[],
  { values, decryption, limits }: ReadOptions
): Promise<EmbeddedFile[]> {
  const decrypted = await decryption?.decrypt(
    found.map(({ stream }) => stream),
    'files'
  )
  const files: EmbeddedFile[] = []
  let leftBytes = limits.maxBytes
  const add = (file: EmbeddedFile): void => {
    leftBytes -= file.bytes.length
    if (leftBytes < 0) throw new PdfRefusal('PdfTooLarge')
    files.push(file)
  }

  for (const [
    index,
    {
      stream: { start, end, dict },
      name: givenName
    }
  ] of found.entries()) {
    const name = givenName ?? `embedded-${index + 1}`
    const raw = pdf.subarray(start, end)
    const data = decrypted?.[index] ?? raw
    const ways: Decoded[] = []
    for (const resolve of waysToResolve(dict, values)) {
      const decoded = await decodeStream(dict, data, { maxBytes: leftBytes, resolve })
      if (ways.some(({ bytes }) => bytes.equals(decoded.bytes))) continue
      ways.push(decoded)
      if (decoded.isWhole || decoded.bytes.length > 0) {
        const isAll =
          decrypted === undefined && decoded.isWhole && decoded.usedBytes === raw.length && raw.length > 0
        add({ name, bytes: decoded.bytes, ...(isAll ? { range: { start, end: end - 1 } } : {}) })
      }
    }
    if (raw.length === 0 || ways.every(({ isWhole }) => isWhole)) continue
    // A reader may be able to decode a stream that this code cannot.
    add({ name, bytes: data })
    // Not every stream in an encrypted file is encrypted.
    if (data !== raw) add({ name, bytes: raw })
  }
  return files
}
