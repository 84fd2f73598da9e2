const LZMA_HEADER_BYTES = 13
const LZMA_UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn

/**
 * A raw LZMA stream has no magic. These are xz's tests: possible properties, a dictionary of 2^n or 3 * 2^n
 * bytes, a size below 256 GiB or none, and the zero that every range coder starts with. A dictionary has at
 * least 512 bytes.
 */
export function isBareLzma(head: Buffer): boolean {
  const [properties = 0xff] = head
  if (head.length <= LZMA_HEADER_BYTES || properties >= 9 * 5 * 5 || head[LZMA_HEADER_BYTES] !== 0) {
    return false
  }
  const dictionaryBytes = head.readUInt32LE(1)
  const highest = 2 ** Math.floor(Math.log2(dictionaryBytes))
  const isRound = dictionaryBytes >= 512 && [0, highest / 2].includes(dictionaryBytes - highest)
  const isPlausible = dictionaryBytes === 0xffffffff || isRound
  const sizeBytes = head.readBigUInt64LE(5)
  return isPlausible && (sizeBytes === LZMA_UNKNOWN_SIZE || (sizeBytes > 0n && sizeBytes < 1n << 38n))
}
