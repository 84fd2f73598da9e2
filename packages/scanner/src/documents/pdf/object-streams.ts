import { PDFName, PDFNumber, type PDFObject } from '@cantoo/pdf-lib'
import type { Decryption } from './encryption.js'
import { decodeStream } from './filters.js'
import { PdfRefusal } from './limits.js'
import type { FoundName } from './names.js'
import { parseValue, type PdfObjects, type PdfStream } from './objects.js'

/** The decoded size; real object streams have a few kilobytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024
/** The total of all object streams. A 50 MB file of nothing but object streams stays below it. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024

export function findObjectStreams(pdf: Buffer, places: FoundName[], objects: PdfObjects): PdfStream[] {
  const streams = places
    .filter(({ name, end }) => name !== 'First' || !isReference(pdf, end))
    .map(({ start }) => objects.streamAround(start))
    .filter((stream) => stream !== null)
    .filter(({ dict }) => objects.resolve(dict.get(PDFName.of('First'))) instanceof PDFNumber)
  return [...new Map(streams.map((stream) => [stream.start, stream])).values()]
}

/** Bookmarks also have a `/First`, but it is a reference. */
function isReference(pdf: Buffer, at: number): boolean {
  return /^[\s\0]*\d+[\s\0]+\d+[\s\0]+R/.test(pdf.toString('latin1', at, at + 40))
}

export interface ObjectStreamOptions {
  objects: PdfObjects
  decryption: Decryption | null
}

export interface ObjectStream {
  text: Buffer
  /** The object with that number in this stream. */
  find: (number: number) => PDFObject | null
}

/** Yields one stream at a time: all of them may not fit into memory. */
export async function* readObjectStreams(
  pdf: Buffer,
  streams: PdfStream[],
  { objects, decryption }: ObjectStreamOptions
): AsyncGenerator<ObjectStream> {
  const decrypted = await decryption?.decrypt(streams, 'objects')
  let leftBytes = MAX_TOTAL_BYTES
  for (const [index, { start, end, dict }] of streams.entries()) {
    const maxBytes = Math.min(leftBytes, MAX_STREAM_BYTES)
    const data = decrypted?.[index] ?? pdf.subarray(start, end)
    const { bytes: text } = await decodeStream(dict, data, { maxBytes, resolve: objects.resolve })
    leftBytes -= text.length
    if (leftBytes <= 0) throw new PdfRefusal('PdfTooComplex')
    const first = objects.resolve(dict.get(PDFName.of('First')))
    const offset = first instanceof PDFNumber ? first.asNumber() : 0
    yield { text, find: (number) => findObject(text, offset, number) }
  }
}

/** Pairs precede the objects: an object number, and the object's offset from the first object. */
function findObject(text: Buffer, first: number, number: number): PDFObject | null {
  const pairs = text.toString('latin1', 0, first).matchAll(/(\d+)\s+(\d+)/g)
  for (const [, of, offset] of pairs) {
    if (Number(of) === number) return parseValue(text.subarray(first + Number(offset)))
  }
  return null
}
