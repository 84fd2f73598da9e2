const MAGIC = Buffer.from('LZIP')
const HEADER_BYTES = 6
/** By version: the checksum and the size of the data. In version 1, the size of the member follows. */
const TRAILER_BYTES = [12, 20]
/** The header, the trailer and the end marker. */
const SMALLEST_MEMBER_BYTES = 36
/** lzip always uses these properties; LZMA allows others. */
const PROPERTIES = 0x5d
/** Exponents of two. */
const SMALLEST_DICTIONARY = 12
const LARGEST_DICTIONARY = 29
/**
 * Used if the header asks for a dictionary size that lzip does not support: the largest size that memory
 * allows.
 */
const TRIED_DICTIONARY = 26

export interface LzipMember {
  /** The same data as a bare LZMA file. 7-Zip opens that format, but not this lzip file. */
  lzma: () => Buffer
  /** Whether damage may hide another member, because the file continues or contains another header. */
  mayHideMember: boolean
}

export interface LzipParts {
  members: LzipMember[]
  /** Bytes behind the last member. lzip, plzip and xz ignore them. */
  trailing: Buffer
}

/**
 * A member ends at a trailer that contains the distance to the member's start. In version 0, which only xz
 * still reads, it ends at the next header. If a trailer only looks like one, the unpacked data does not end
 * there.
 */
export function lzipParts(lzip: Buffer): LzipParts {
  const members: LzipMember[] = []
  let start = 0
  while (isHeader(lzip, start)) {
    const memberStart = start
    const found = memberEnd(lzip, memberStart)
    const end = found ?? lzip.length
    const innerHeader = nextHeader(lzip, memberStart + HEADER_BYTES) ?? lzip.length
    const trailerBytes = found === null ? 0 : (TRAILER_BYTES[versionOf(lzip, memberStart)] ?? 0)
    members.push({
      lzma: () => asLzma(lzip.subarray(memberStart, end - trailerBytes)),
      mayHideMember: end < lzip.length || innerHeader < end
    })
    start = end
  }
  return { members, trailing: lzip.subarray(start) }
}

const versionOf = (lzip: Buffer, start: number): number => lzip[start + MAGIC.length] ?? 0xff

function isHeader(lzip: Buffer, start: number): boolean {
  return lzip.subarray(start, start + MAGIC.length).equals(MAGIC) && versionOf(lzip, start) <= 1
}

function nextHeader(lzip: Buffer, from: number): number | null {
  for (let at = lzip.indexOf(MAGIC, from); at !== -1; at = lzip.indexOf(MAGIC, at + 1)) {
    if (isHeader(lzip, at)) return at
  }
  return null
}

function memberEnd(lzip: Buffer, start: number): number | null {
  if (versionOf(lzip, start) === 0) return nextHeader(lzip, start + HEADER_BYTES) ?? lzip.length
  for (let end = start + SMALLEST_MEMBER_BYTES; end <= lzip.length; end++) {
    // The upper half of a size below 4 GiB. Its last byte alone rules out most offsets.
    if (lzip[end - 1] !== 0 || lzip.readUInt32LE(end - 4) !== 0) continue
    if (lzip.readUInt32LE(end - 8) === end - start) return end
  }
  return null
}

function asLzma(member: Buffer): Buffer {
  const exponent = (member[5] ?? 0) & 0x1f
  const isPossible = exponent >= SMALLEST_DICTIONARY && exponent <= LARGEST_DICTIONARY
  const header = Buffer.alloc(13, 0xff)
  header[0] = PROPERTIES
  // The size may be a fraction of this power of two, which 7-Zip does not support. A larger size is harmless.
  header.writeUInt32LE(2 ** (isPossible ? exponent : TRIED_DICTIONARY), 1)
  return Buffer.concat([header, member.subarray(HEADER_BYTES)])
}
