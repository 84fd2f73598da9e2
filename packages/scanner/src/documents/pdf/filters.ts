import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFObject
} from '@cantoo/pdf-lib'
import { inflate, type Decoded } from './inflate.js'
import { PdfRefusal } from './limits.js'
import { pdfContext } from './objects.js'
import { undoPredictor } from './predictors.js'

export interface FilterOptions {
  maxBytes: number
  resolve: (value: PDFObject | undefined) => PDFObject | undefined
}

interface Filter {
  name: string
  options: PDFDict | undefined
}

/** Filters for files. Data with an image filter is scanned unchanged. */
const LONG_NAMES: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode'
}
const BY_LIBRARY = ['LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode']
/** Real files need fewer; each filter may multiply the output of the previous one. */
const MAX_FILTERS = 8
const CHUNK_BYTES = 64 * 1024

/** Applies the filters in order, as far as possible. */
export async function decodeStream(dict: PDFDict, data: Buffer, options: FilterOptions): Promise<Decoded> {
  let [bytes, isWhole] = [data, true]
  let usedBytes = data.length
  for (const [index, filter] of filtersOf(dict, options.resolve).entries()) {
    const decoded = index < MAX_FILTERS ? await decode(bytes, filter, options) : null
    if (decoded === null) return { bytes, isWhole: false, usedBytes }
    // Only the first filter shows how many bytes of the file were used.
    if (index === 0) usedBytes = decoded.usedBytes
    bytes = decoded.bytes
    isWhole &&= decoded.isWhole
  }
  return { bytes, isWhole, usedBytes }
}

/** Null for a filter that files do not use. */
async function decode(bytes: Buffer, filter: Filter, limits: FilterOptions): Promise<Decoded | null> {
  const { name, options } = filter
  // The file is already decrypted as a whole.
  if (name === 'Crypt') return { bytes, isWhole: true, usedBytes: bytes.length }
  if (name !== 'FlateDecode' && !BY_LIBRARY.includes(name)) return null
  const decoded =
    name === 'FlateDecode'
      ? await inflate(bytes, limits.maxBytes)
      : decodeByLibrary(bytes, filter, limits.maxBytes)
  const numberOf = (key: string, otherwise: number): number => {
    const value = limits.resolve(options?.get(PDFName.of(key)))
    return value instanceof PDFNumber ? value.asNumber() : otherwise
  }
  const predictor = ['FlateDecode', 'LZWDecode'].includes(name) ? numberOf('Predictor', 1) : 1
  if (predictor === 1) return decoded
  const row = { columns: numberOf('Columns', 1), colors: numberOf('Colors', 1) }
  const bitsPerComponent = numberOf('BitsPerComponent', 8)
  return { ...decoded, bytes: undoPredictor(decoded.bytes, { predictor, bitsPerComponent, ...row }) }
}

function decodeByLibrary(bytes: Buffer, { name, options }: Filter, maxBytes: number): Decoded {
  const dict = PDFDict.withContext(pdfContext)
  dict.set(PDFName.of('Filter'), PDFName.of(name))
  if (options !== undefined) dict.set(PDFName.of('DecodeParms'), options)
  const parts: Buffer[] = []
  let sizeBytes = 0
  try {
    const stream = decodePDFRawStream(PDFRawStream.of(dict, bytes))
    // In chunks: a small stream could otherwise fill the memory before its size is known.
    for (let part = stream.getBytes(CHUNK_BYTES); part.length > 0; part = stream.getBytes(CHUNK_BYTES)) {
      sizeBytes += part.length
      if (sizeBytes > maxBytes) throw new PdfRefusal('PdfTooLarge')
      parts.push(Buffer.from(part))
    }
    // These decoders do not report how many bytes they used: 0 claims none.
    return { bytes: Buffer.concat(parts), isWhole: true, usedBytes: 0 }
  } catch (error) {
    if (error instanceof PdfRefusal) throw error
    return { bytes: Buffer.concat(parts), isWhole: false, usedBytes: 0 }
  }
}

function filtersOf(dict: PDFDict, resolve: FilterOptions['resolve']): Filter[] {
  const names = listOf(dict, ['Filter', 'F'], resolve)
  const options = listOf(dict, ['DecodeParms', 'DP'], resolve)
  return names
    .filter((name) => name instanceof PDFName)
    .map((name, index) => {
      const written = name.decodeText()
      const given = options[index]
      return { name: LONG_NAMES[written] ?? written, options: given instanceof PDFDict ? given : undefined }
    })
}

type Values = Array<PDFObject | undefined>

/**
 * One value or an array of values, under its full name or the short name of inline images. Readers accept
 * both.
 */
function listOf(dict: PDFDict, keys: string[], resolve: FilterOptions['resolve']): Values {
  const value = keys.map((key) => resolve(dict.get(PDFName.of(key)))).find((found) => found !== undefined)
  return value instanceof PDFArray ? value.asArray().map(resolve) : [value]
}
