import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import { PdfRefusal } from './limits.js'
import { findNames, type FoundName } from './names.js'
import { parseValue, type PdfObjects, type PdfStream } from './objects.js'

export interface Decryption {
  /** What the streams hold, in their order; null for one that could not be decrypted. */
  decrypt: (streams: PdfStream[], kind: 'objects' | 'files') => Promise<Array<Buffer | null>>
}

interface Encryption {
  dict: PDFDict
  /** The identifier of the file, which is part of the key; as it is written. */
  id: string
}

/** How far from `/Encrypt` the rest of a trailer may stand. */
const TRAILER_BYTES = 64 * 1024
/** Revisions of a file share their encryption; more than a few are there to keep us busy. */
const MAX_ENCRYPTIONS = 4
/** Far above the numbers of real objects. */
const [ENCRYPTION_NUMBER, CATALOG_NUMBER, PAGES_NUMBER] = [9_000_001, 9_000_002, 9_000_003]

/**
 * How the streams of an encrypted PDF are read that opens without a password; null for one that is not
 * encrypted.
 * @param places where a trailer names its encryption
 * @throws PdfRefusal PdfPassword, PdfEncryption
 */
export async function openEncryption(
  pdf: Buffer,
  places: FoundName[],
  objects: PdfObjects,
  objectStreams: PdfStream[]
): Promise<Decryption | null> {
  const found = places.map((place) => encryptionAt(pdf, objects, place))
  const [encryption, ...others] = distinct(found.filter((candidate) => candidate !== null))
  if (encryption === undefined) return null
  // Making the key takes longest: this finds out whether there is one, and is needed next.
  const decryptedObjects = await decryptAll(pdf, encryption, objectStreams)
  for (const other of others) await loadDecrypted(pdf, other, [])
  return {
    decrypt: async (streams, kind) => {
      if (kind === 'objects' && streams === objectStreams) return decryptedObjects
      if (streams.length === 0) return []
      return await decryptAll(pdf, kind === 'files' ? forFiles(encryption) : encryption, streams)
    }
  }
}

function encryptionAt(pdf: Buffer, objects: PdfObjects, { start, end }: FoundName): Encryption | null {
  const dict = objects.resolve(parseValue(pdf.subarray(end, end + TRAILER_BYTES)) ?? undefined)
  if (!(dict instanceof PDFDict) || dict.get(PDFName.of('Filter')) === undefined) return null
  const from = Math.max(0, start - TRAILER_BYTES)
  const trailer = pdf.subarray(from, end + TRAILER_BYTES)
  const ids = findNames(trailer, ['ID'])
    .sort((a, b) => Math.abs(from + a.start - start) - Math.abs(from + b.start - start))
    .map((name) => parseValue(trailer.subarray(name.end))?.toString() ?? '')
  // Without one the key is made from nothing in its place.
  return { dict, id: ids.find((id) => id.startsWith('[')) ?? '[<><>]' }
}

function distinct(encryptions: Encryption[]): Encryption[] {
  const byText = new Map(encryptions.map(({ dict, id }) => [id + dict.toString(), { dict, id }]))
  if (byText.size > MAX_ENCRYPTIONS) throw new PdfRefusal('PdfTooComplex')
  return [...byText.values()]
}

/** Embedded files may be encrypted in another way than the rest. */
function forFiles({ dict, id }: Encryption): Encryption {
  const own = dict.get(PDFName.of('EFF'))
  if (own === undefined) return { dict, id }
  const copy = dict.clone()
  copy.set(PDFName.of('StmF'), own)
  return { dict: copy, id }
}

/**
 * Several streams may have one number, in files that were changed: each time, the library sees only one of
 * them.
 */
async function decryptAll(
  pdf: Buffer,
  encryption: Encryption,
  streams: PdfStream[]
): Promise<Array<Buffer | null>> {
  const decrypted = new Map<PdfStream, Buffer>()
  let waiting = streams
  do {
    const batch = [...new Map(waiting.map((stream) => [stream.number, stream])).values()]
    const document = await loadDecrypted(pdf, encryption, batch)
    for (const stream of batch) {
      const object = document.context.lookup(PDFRef.of(stream.number, stream.generation))
      if (object instanceof PDFRawStream) decrypted.set(stream, Buffer.from(object.contents))
    }
    const done = new Set(batch)
    waiting = waiting.filter((stream) => !done.has(stream))
  } while (waiting.length > 0)
  return streams.map((stream) => decrypted.get(stream) ?? null)
}

/**
 * The library decrypts whole documents: it gets one of these streams alone, with the encryption of the real
 * one.
 */
async function loadDecrypted(
  pdf: Buffer,
  { dict, id }: Encryption,
  streams: PdfStream[]
): Promise<PDFDocument> {
  const document = Buffer.concat([
    Buffer.from(`%PDF-1.7\n${ENCRYPTION_NUMBER} 0 obj\n`),
    written(dict),
    Buffer.from(`\nendobj\n${CATALOG_NUMBER} 0 obj\n<</Type/Catalog/Pages ${PAGES_NUMBER} 0 R>>\nendobj\n`),
    Buffer.from(`${PAGES_NUMBER} 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n`),
    ...streams.flatMap(({ number, generation, start, end }) => [
      Buffer.from(`${number} ${generation} obj\n<</Length ${end - start}>>\nstream\n`),
      pdf.subarray(start, end),
      Buffer.from('\nendstream\nendobj\n')
    ]),
    Buffer.from(`trailer\n<</Root ${CATALOG_NUMBER} 0 R/Encrypt ${ENCRYPTION_NUMBER} 0 R`),
    Buffer.from(`/ID${id}>>\n`, 'latin1')
  ])
  try {
    return await PDFDocument.load(document, { password: '', updateMetadata: false })
  } catch (error) {
    const needsPassword = error instanceof Error && error.message === 'NEEDS PASSWORD'
    throw new PdfRefusal(needsPassword ? 'PdfPassword' : 'PdfEncryption')
  }
}

function written(dict: PDFDict): Buffer {
  const bytes = Buffer.alloc(dict.sizeInBytes())
  dict.copyBytesInto(bytes, 0)
  return bytes
}
