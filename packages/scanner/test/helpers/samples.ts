import { createHash, randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ByteRange, ScanSource } from '../../src/index.js'

/** Assembled at run time, so that scanners do not report these sources. */
export const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
)
export const baselineMarker = Buffer.from(['FILEWRIGHT-SCANNER-TEST', '-MARKER-7d1c0b52e84f4a0f9a'].join(''))

/** The test virus inside unique text, so that its compressed form does not contain the plain bytes. */
export function infectedText(): Buffer {
  const words = Buffer.from(`${'alpha beta gamma delta '.repeat(20)}${randomUUID()}\n`)
  // The pieces come first, so that dictionary coders refer to them instead of storing the whole text.
  const pieces = Buffer.concat(
    [...Array(8).keys()].flatMap((i) => [eicar.subarray(i * 8, i * 8 + 10), Buffer.from('|')])
  )
  return Buffer.concat([words, pieces, words, eicar, words])
}

export function cleanText(): Buffer {
  return Buffer.from(`nothing to see here ${randomUUID()} `.repeat(10))
}

/** Arrives in pieces, as from a store. */
export function sourceOf(bytes: Buffer, overrides: Partial<ScanSource> = {}): ScanSource {
  const source = {
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: async (range?: ByteRange) =>
      Readable.from(piecesOf(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))),
    ...overrides
  }
  return { read: async (into, range, signal) => await readFrom(source, into, range, signal), ...source }
}

/** Reads like a store: it stops when the signal aborts. */
async function readFrom(
  { open }: Pick<ScanSource, 'open'>,
  into: Buffer,
  range: ByteRange,
  signal: AbortSignal
): Promise<number> {
  return (await buffer(addAbortSignal(signal, await open(range)))).copy(into)
}

/** A source that records every stream it returns, to check which are still open. */
export function watchedSourceOf(bytes: Buffer, streams: Readable[]): ScanSource {
  const { open } = sourceOf(bytes)
  return sourceOf(bytes, {
    open: async (range) => {
      const stream = await open(range)
      streams.push(stream)
      return stream
    }
  })
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}
