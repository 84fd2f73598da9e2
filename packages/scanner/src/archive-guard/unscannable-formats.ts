interface Format {
  name: string
  offset: number
  /** Hexadecimal; `..` is any byte. */
  magic: string
}

/**
 * Containers that clamd answers "OK" for without having looked into them. infra/clamav/signatures holds the same list for every
 * depth of nesting; this one also works with a clamd that does not have those signatures loaded.
 */
const formats: readonly Format[] = [
  { name: '7z', offset: 0, magic: '377abcaf271c' },
  { name: 'Rar', offset: 0, magic: '526172211a07' },
  { name: 'Zstd', offset: 0, magic: '28b52ffd' },
  { name: 'Lz4', offset: 0, magic: '04224d18' },
  { name: 'Lz4', offset: 0, magic: '02214c18' },
  { name: 'Lzip', offset: 0, magic: '4c5a495001' },
  { name: 'Lzma', offset: 0, magic: '5d0000....ffffffffffffffff00' },
  { name: 'Lzma', offset: 0, magic: '5d0000............0000000000' },
  { name: 'Compress', offset: 0, magic: '1f9d' },
  { name: 'Lzop', offset: 0, magic: '894c5a4f000d0a1a0a' },
  { name: 'Snappy', offset: 0, magic: 'ff060000734e61507059' },
  { name: 'Ar', offset: 0, magic: '213c617263683e0a' },
  { name: 'Ace', offset: 7, magic: '2a2a4143452a2a' },
  { name: 'Lha', offset: 2, magic: '2d6c68..2d' },
  { name: 'Zoo', offset: 20, magic: 'dca7c4fd' }
]

const patterns = formats.map(({ name, offset, magic }) => ({
  name,
  offset,
  bytes: (magic.match(/../g) ?? []).map((pair) => pair === '..' ? null : Number.parseInt(pair, 16))
}))

const LZMA_HEADER_BYTES = 13
const LZMA_UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn

/**
 * A bare LZMA stream has no magic. These are the tests by which xz knows one: possible properties, a dictionary of 2^n or 3 * 2^n bytes,
 * a size below 256 GiB or none, and the zero that every range coder begins with. A dictionary has at least 4 KiB.
 */
function isBareLzma (head: Buffer): boolean {
  if (head.length <= LZMA_HEADER_BYTES || (head[0] ?? 0xff) >= 9 * 5 * 5 || head[LZMA_HEADER_BYTES] !== 0) return false
  const dictionaryBytes = head.readUInt32LE(1)
  const highest = 2 ** Math.floor(Math.log2(dictionaryBytes))
  const isPlausible = dictionaryBytes === 0xffffffff || (dictionaryBytes >= 4096 && [0, highest / 2].includes(dictionaryBytes - highest))
  const sizeBytes = head.readBigUInt64LE(5)
  return isPlausible && (sizeBytes === LZMA_UNKNOWN_SIZE || (sizeBytes > 0n && sizeBytes < 1n << 38n))
}

/** The name of the container that clamd cannot open, or null. */
export function unscannableFormat (head: Buffer): string | null {
  if (isBareLzma(head)) return 'Lzma'
  const found = patterns.find(({ offset, bytes }) => bytes.every((byte, i) => byte === null
    ? offset + i < head.length
    : head[offset + i] === byte))
  return found?.name ?? null
}

/** Brotli has no magic at all, and that of zlib (.zz) says nothing: there the name is all one can go by. */
const UNSCANNABLE_NAME = /\.(7z|rar|r\d\d|zst|tzst|lz4|br|lz|tlz|lzma|z|taz|lzo|sz|ace|lha|lzh|zoo|arj|zz)$/i

export function hasUnscannableName (name: string): boolean {
  return UNSCANNABLE_NAME.test(name)
}
