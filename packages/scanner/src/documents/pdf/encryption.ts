import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import { PdfRefusal } from './limits.js'
import { findNames, type FoundName } from './names.js'
import { parseValue, type PdfObjects, type PdfStream } from './objects.js'

export interface Decryption {
  /**
   * The decrypted content of the streams, in the same order; null for a stream that could not be decrypted.
   */
  decrypt: (streams: PdfStream[], kind: 'objects' | 'files') => Promise<Array<Buffer | null>>
}

interface Encryption {
  dict: PDFDict
  /** The identifier of the file as written. It is part of the key. */
  id: string
}

/** The trailer's other entries may be this far from `/Encrypt`. */
const TRAILER_BYTES = 64 * 1024
/** All revisions of a file share one encryption. A file with more was made to consume time. */
const MAX_ENCRYPTIONS = 4
/** Far larger than the numbers of real objects. */
const [ENCRYPTION_NUMBER, CATALOG_NUMBER, PAGES_NUMBER] = [9_000_001, 9_000_002, 9_000_003]

/**
 * Opens an encrypted PDF that needs no password. Null if the PDF is not encrypted.
 * @param places offsets at which a trailer names its encryption
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
  // Deriving the key takes longest. This call shows whether there is one, and its result is needed next.
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
  // Without an identifier, the key is derived from an empty one.
  return { dict, id: ids.find((id) => id.startsWith('[')) ?? '[<><>]' }
}

function distinct(encryptions: Encryption[]): Encryption[] {
  const byText = new Map(encryptions.map(({ dict, id }) => [id + dict.toString(), { dict, id }]))
  if (byText.size > MAX_ENCRYPTIONS) throw new PdfRefusal('PdfTooComplex')
  return [...byText.values()]
}

/** Embedded files may use another encryption method than the rest. */
function forFiles({ dict, id }: Encryption): Encryption {
  const own = dict.get(PDFName.of('EFF'))
  if (own === undefined) return { dict, id }
  const copy = dict.clone()
  copy.set(PDFName.of('StmF'), own)
  return { dict: copy, id }
}

/**
 * In modified files, several streams may have the same number. The library sees only one of them per call.
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
 * The library only decrypts whole documents, so it gets a document with this stream alone and the real
 * encryption.
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
