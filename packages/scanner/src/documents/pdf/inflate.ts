import {
  constants,
  createInflate,
  createInflateRaw,
  inflateSync,
  type Inflate,
  type InflateRaw
} from 'node:zlib'
import { PdfRefusal } from './limits.js'

export interface Decoded {
  bytes: Buffer
  /** Whether the data is intact. If not, `bytes` is the part that readers can salvage. */
  isWhole: boolean
  /** How many bytes of the input were used. */
  usedBytes: number
}

/** @throws PdfRefusal TooLarge */
export async function inflate(packed: Buffer, maxBytes: number): Promise<Decoded> {
  try {
    const { buffer, engine } = inflateSync(packed, { info: true, maxOutputLength: maxBytes }) as unknown as {
      buffer: Buffer
      engine: Inflate
    }
    return { bytes: buffer, isWhole: true, usedBytes: engine.bytesWritten }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw new PdfRefusal('PdfTooLarge')
  }
  const unpacker = createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
  const salvaged = await salvage(unpacker, packed, maxBytes)
  // Some readers accept a wrong header.
  if (salvaged.bytes.length > 0) return salvaged
  return await salvage(createInflateRaw(), packed.subarray(2), maxBytes)
}

/** All output before the damage. */
async function salvage(unpacker: Inflate | InflateRaw, packed: Buffer, maxBytes: number): Promise<Decoded> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  unpacker.end(packed)
  try {
    for await (const part of unpacker as AsyncIterable<Buffer>) {
      sizeBytes += part.length
      if (sizeBytes > maxBytes) throw new PdfRefusal('PdfTooLarge')
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof PdfRefusal) throw error
  }
  return { bytes: Buffer.concat(parts), isWhole: false, usedBytes: 0 }
}
