import {
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFObjectParser,
  PDFRef,
  type PDFObject
} from '@cantoo/pdf-lib'
import { findHeaders, headersByNumber, lastHeaderBefore, type Header } from './headers.js'
import { dataEnd, dataStart, MAX_OBJECT_BYTES, nextKeyword, type Keyword } from './stream-data.js'

export interface PdfStream {
  number: number
  generation: number
  dict: PDFDict
  /** The offset of its data in the file; the end is exclusive. */
  start: number
  end: number
}

export interface ParsedObject {
  value: PDFObject
  stream: PdfStream | null
  /** The offset behind the parsed text: the keyword of a stream, or of the next object. */
  end: number
}

/**
 * Finds the objects of a PDF by their bytes. It does not use the cross-reference table, which may be false
 * and which readers can do without.
 */
export interface PdfObjects {
  /** Every object with that number, including older revisions. */
  withNumber: (number: number) => ParsedObject[]
  /**
   * The stream whose dictionary contains this offset, even if the dictionary cannot be parsed. Null if there
   * is none.
   */
  streamAround: (place: number) => PdfStream | null
  /**
   * Streams between this offset and the end of the object. The standard does not allow them, but pypdf writes
   * them.
   */
  streamsBehind: (place: number) => PdfStream[]
  /** Replaces a reference with the value that it refers to. */
  resolve: (value: PDFObject | undefined) => PDFObject | undefined
}

/**
 * How many keywords may occur in the strings of an object, and how many dictionaries may precede a stream's
 * keyword.
 */
const MAX_ATTEMPTS = 32
const MAX_INDIRECTIONS = 8
/** White space and comments. */
const BETWEEN_TOKENS = /^(?:[\s\0]|%[^\r\n]*[\r\n])*$/

export const pdfContext = PDFContext.create()
const lengthName = PDFName.of('Length')
const deflated = pdfContext.obj({ Filter: 'FlateDecode' })

/** Parses the value at the start of the text. Null if there is no valid value. */
export function parseValue(text: Buffer): PDFObject | null {
  try {
    return PDFObjectParser.forBytes(text, pdfContext).parseObject()
  } catch {
    return null
  }
}

export function indexObjects(pdf: Buffer): PdfObjects {
  const headers = findHeaders(pdf)
  const byNumber = headersByNumber(headers)
  const parsed = new Map<Header, ParsedObject | null>()

  function parse(header: Header): ParsedObject | null {
    const known = parsed.get(header)
    if (known !== undefined) return known
    // The stream's length may refer to the object that contains it.
    parsed.set(header, null)
    const object = parseObject(header)
    parsed.set(header, object)
    return object
  }

  /**
   * Parses up to the keyword behind the object. If that keyword is inside a string, parsing fails and the
   * next keyword is tried.
   */
  function parseObject(header: Header): ParsedObject | null {
    let at = header.end
    for (let attempt = 0; attempt < MAX_ATTEMPTS && at - header.end < MAX_OBJECT_BYTES; attempt++) {
      const keyword = nextKeyword(pdf, at)
      const value = parseValue(pdf.subarray(header.end, keyword.start))
      if (value !== null) {
        const stream = keyword.isStream && value instanceof PDFDict ? streamOf(header, value, keyword) : null
        return { value, stream, end: keyword.start }
      }
      if (keyword.start >= pdf.length) return null
      at = keyword.end
    }
    return null
  }

  function streamOf({ number, generation }: Header, dict: PDFDict, keyword: Keyword): PdfStream {
    const start = dataStart(pdf, keyword.end)
    const length = dict.get(lengthName)
    const objects = length instanceof PDFRef ? withNumber(length.objectNumber) : [{ value: length }]
    const lengths = objects.flatMap(({ value }) => (value instanceof PDFNumber ? [value.asNumber()] : []))
    return { number, generation, dict, start, end: dataEnd(pdf, start, lengths) }
  }

  function withNumber(number: number): ParsedObject[] {
    return (byNumber.get(number) ?? []).map(parse).filter((object) => object !== null)
  }

  function resolve(value: PDFObject | undefined): PDFObject | undefined {
    let target = value
    for (let step = 0; target instanceof PDFRef && step < MAX_INDIRECTIONS; step++) {
      target = withNumber(target.objectNumber).at(-1)?.value
    }
    return target
  }

  function streamAround(place: number): PdfStream | null {
    const nearest = lastHeaderBefore(headers, place)
    for (let at = nearest; at > nearest - MAX_ATTEMPTS; at--) {
      const header = headers[at]
      if (header === undefined || place - header.end > MAX_OBJECT_BYTES) break
      const object = parse(header)
      if (object !== null && object.end > place) return object.stream ?? streamsBehind(place)[0] ?? null
    }
    return streamsBehind(place)[0] ?? guessedStream(place, headers[nearest])
  }

  /** How a reader may interpret a dictionary that the library cannot parse. Most streams are deflated. */
  function guessedStream(place: number, header: Header | undefined): PdfStream | null {
    const keyword = nextKeyword(pdf, place)
    return header !== undefined && keyword.isStream ? streamOf(header, deflated, keyword) : null
  }

  function streamsBehind(place: number): PdfStream[] {
    const header = headers[lastHeaderBefore(headers, place)]
    const streams: PdfStream[] = []
    if (header === undefined) return streams
    let keyword = nextKeyword(pdf, place)
    while (keyword.isStream && streams.length < MAX_ATTEMPTS) {
      const dict = dictBefore(keyword.start)
      const stream = dict === null ? null : streamOf(header, dict, keyword)
      if (stream !== null) streams.push(stream)
      const end = pdf.indexOf('endstream', stream?.end ?? keyword.end)
      if (end === -1) break
      keyword = nextKeyword(pdf, end + 'endstream'.length)
    }
    return streams
  }

  /** The dictionary that ends just before this offset. Without its last bytes it cannot be parsed. */
  function dictBefore(place: number): PDFDict | null {
    const close = pdf.lastIndexOf('>>', place)
    if (close === -1 || !BETWEEN_TOKENS.test(pdf.toString('latin1', close + 2, place))) return null
    let open = pdf.lastIndexOf('<<', close)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (open === -1 || close - open > MAX_OBJECT_BYTES) return null
      const dict = parseValue(pdf.subarray(open, close + 2))
      if (dict instanceof PDFDict && parseValue(pdf.subarray(open, close)) === null) return dict
      open = open === 0 ? -1 : pdf.lastIndexOf('<<', open - 1)
    }
    return null
  }

  return { withNumber, streamAround, streamsBehind, resolve }
}
