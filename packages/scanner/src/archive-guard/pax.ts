import { Refusal } from './refusals.js'
import type { SparsePiece } from './tar-sparse.js'

/** A length that includes itself, a space, and the start of the key. */
const RECORD_START = /^([1-9]\d{0,7}) ([^=]+)=/

/** The name of an extended attribute has up to 255 bytes, each of which may be escaped. */
const MAX_KEY_BYTES = 1024

/** How a file with holes is stored. */
export interface PaxSparse {
  /** The location of the list of pieces: these records, or the start of the data. */
  map: SparsePiece[] | 'in-data'
}

export interface PaxFacts {
  size: number | null
  sparse: PaxSparse | null
}

/**
 * Reads "LENGTH key=value\n" records as POSIX defines them. Every byte must fit: readers interpret anything
 * else differently.
 */
export function readPaxRecords(bytes: Buffer): PaxFacts {
  let size: number | null = null
  const sparse = new Map<string, string>()
  const pieces: number[] = []
  for (let at = 0; at < bytes.length; ) {
    // Some writers pad the block with zeros and include them in the size.
    if (bytes[at] === 0) break
    const start = RECORD_START.exec(bytes.toString('latin1', at, at + MAX_KEY_BYTES))
    const [whole, length, key] = [start?.[0], Number(start?.[1]), start?.[2]]
    if (whole === undefined || key === undefined) throw new Refusal('TarMismatch')
    const end = at + length
    if (end > bytes.length || whole.length >= length || bytes[end - 1] !== 0x0a) {
      throw new Refusal('TarMismatch')
    }
    const value = bytes.toString('latin1', at + whole.length, end - 1)
    if (key === 'size') {
      if (size !== null || !/^(0|[1-9]\d{0,14})$/.test(value)) throw new Refusal('TarMismatch')
      size = Number(value)
    }
    if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') pieces.push(readDecimal(value))
    // The offset of a piece must come before its length: some readers rely on the order, others on the names.
    if (key === 'GNU.sparse.offset' && pieces.length % 2 !== 1) throw new Refusal('TarMismatch')
    if (key === 'GNU.sparse.numbytes' && pieces.length % 2 !== 0) throw new Refusal('TarMismatch')
    if (/^(GNU\.sparse\.|SCHILY\.realsize$|SUN\.holesdata$)/.test(key)) sparse.set(key, value)
    at = end
  }
  return { size, sparse: sparse.size === 0 ? null : { map: mapOf(sparse, pieces) } }
}

function readDecimal(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('TarMismatch')
  return Number(text)
}

function mapOf(sparse: Map<string, string>, pieces: number[]): PaxSparse['map'] {
  const list = sparse.get('GNU.sparse.map')
  if (list !== undefined && pieces.length > 0) throw new Refusal('TarMismatch')
  const listed = list?.split(',').map(readDecimal) ?? pieces
  if (listed.length % 2 !== 0) throw new Refusal('TarMismatch')
  if (listed.length === 0) return 'in-data'
  return Array.from({ length: listed.length / 2 }, (_, i) => {
    return { offset: listed[2 * i] ?? 0, sizeBytes: listed[2 * i + 1] ?? 0 }
  })
}
