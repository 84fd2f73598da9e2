/** Conditional and range requests (RFC 9110) as pure functions of headers and a stored file. */
export interface Representation {
  etag: string
  lastModified: Date
  sizeBytes: number
}

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

export type Selection =
  | { status: 200 }
  | { status: 206; range: ByteRange }
  | { status: 304 }
  | { status: 412 }
  | { status: 416 }

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

const text = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** HTTP dates have whole seconds. */
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Null if the header is not a date, which makes the condition void. */
function dateSeconds(value: string | undefined): number | null {
  const time = value === undefined ? NaN : Date.parse(value)
  return Number.isNaN(time) ? null : seconds(new Date(time))
}

function listHas(list: string, etag: string, weak: boolean): boolean {
  if (list.trim() === '*') return true
  return list
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => entry === etag || (weak && entry === `W/${etag}`))
}

function preconditionFails(headers: RequestHeaders, { etag, lastModified }: Representation): boolean {
  const ifMatch = text(headers['if-match'])
  if (ifMatch !== undefined) return !listHas(ifMatch, etag, false)
  const unmodifiedSince = dateSeconds(text(headers['if-unmodified-since']))
  return unmodifiedSince !== null && seconds(lastModified) > unmodifiedSince
}

function isNotModified(headers: RequestHeaders, { etag, lastModified }: Representation): boolean {
  const noneMatch = text(headers['if-none-match'])
  if (noneMatch !== undefined) return listHas(noneMatch, etag, true)
  const modifiedSince = dateSeconds(text(headers['if-modified-since']))
  return modifiedSince !== null && seconds(lastModified) <= modifiedSince
}

function rangeApplies(headers: RequestHeaders, { etag, lastModified }: Representation): boolean {
  const ifRange = text(headers['if-range'])
  if (ifRange === undefined) return true
  return ifRange.startsWith('"') || ifRange.startsWith('W/')
    ? ifRange === etag
    : dateSeconds(ifRange) === seconds(lastModified)
}

/**
 * Undefined if the range is not one that we serve (several ranges, another unit, invalid). The response is
 * then the whole file.
 */
function parseRange(header: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header.trim())
  if (match === null) return undefined
  const [, first = '', last = ''] = match
  if (first === '') {
    if (last === '') return undefined
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= sizeBytes) return 'unsatisfiable'
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
}

/** Which part of the file, if any, this request gets. */
export function select(headers: RequestHeaders, file: Representation): Selection {
  if (preconditionFails(headers, file)) return { status: 412 }
  if (isNotModified(headers, file)) return { status: 304 }
  const header = text(headers.range)
  if (header === undefined || !rangeApplies(headers, file)) return { status: 200 }
  const range = parseRange(header, file.sizeBytes)
  if (range === undefined) return { status: 200 }
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range }
}
