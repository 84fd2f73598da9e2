import { Refusal } from './guard-result.js'

/** What says that a file has holes, in the words of GNU tar, star and Solaris: its data is then not what the header says. */
const SPARSE_KEY = /^(GNU\.sparse\.|SCHILY\.realsize$|SUN\.holesdata$)/
/** A length that counts itself, a blank, and the start of the key. */
const RECORD_START = /^([1-9]\d{0,6}) ([^=]+)=/

/** Names of extended attributes have 255 bytes, each of which may be escaped. */
const MAX_KEY_BYTES = 1024

export interface PaxFacts {
  size: number | null
  path: string | null
}

/** Reads "LENGTH key=value\n" records as POSIX has them, byte by byte accounted for: readers differ in what they make of anything else. */
export function readPaxRecords (bytes: Buffer): PaxFacts {
  let size: number | null = null
  let path: string | null = null
  for (let at = 0; at < bytes.length;) {
    const start = RECORD_START.exec(bytes.toString('latin1', at, at + MAX_KEY_BYTES))
    const [whole, length, key] = [start?.[0], Number(start?.[1]), start?.[2]]
    if (whole === undefined || key === undefined) throw new Refusal('TarBroken')
    const end = at + length
    if (end > bytes.length || whole.length >= length || bytes[end - 1] !== 0x0a) throw new Refusal('TarBroken')
    const value = bytes.toString('latin1', at + whole.length, end - 1)
    if (SPARSE_KEY.test(key)) throw new Refusal('TarSparse')
    if (key === 'size') {
      if (size !== null || !/^(0|[1-9]\d{0,14})$/.test(value)) throw new Refusal('TarMismatch')
      size = Number(value)
    }
    if (key === 'path') path = value
    at = end
  }
  return { size, path }
}
