export interface ControlCounts {
  nul: boolean
  /** Control characters of old terminals and printers: BEL, BS, VT, and SUB, which ends a file under DOS. */
  old: number
  /** SO and SI, which switch character sets in 7-bit Korean and Chinese text. */
  shifts: number
  /** All others except TAB, LF, FF, CR and ESC, which every text may contain. */
  stray: number
}

const OLD = 1
const STRAY = 2
const SHIFT = 4
const kinds = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++) kinds[byte] = STRAY
for (const byte of [0x07, 0x08, 0x0b, 0x1a]) kinds[byte] = OLD
for (const byte of [0x0e, 0x0f]) kinds[byte] = SHIFT
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x1b]) kinds[byte] = 0

function kindOf(byte: number): number {
  return kinds[byte & 0xff] as number
}

function countOneByOne(bytes: Buffer, from: number, to: number, counts: ControlCounts): void {
  for (let i = from; i < to; i++) {
    const kind = kindOf(bytes[i] as number)
    if (kind === OLD) counts.old++
    if (kind === STRAY) counts.stray++
    if (kind === SHIFT) counts.shifts++
  }
}

/** Has a bit set where one of the word's four bytes is below 0x20, none where all are above. */
function low(word: number): number {
  return (word - 0x20202020) & ~word & 0x80808080
}

/**
 * Adds the chunk's control characters to the counts. Tests sixteen bytes at once for values below 0x20, and
 * inspects them only if there are any, which is many times as fast on source code.
 */
export function countControls(bytes: Buffer, counts: ControlCounts): void {
  // A native search: most binaries have an early NUL, so the loop never runs for them.
  counts.nul ||= bytes.includes(0)
  if (counts.nul) return
  const wordsAt = Math.min(-bytes.byteOffset & 3, bytes.length)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + wordsAt, (bytes.length - wordsAt) >> 2)
  countOneByOne(bytes, 0, wordsAt, counts)
  const end = words.length & ~3
  for (let i = 0; i < end; i += 4) {
    if (
      (low(words[i] as number) |
        low(words[i + 1] as number) |
        low(words[i + 2] as number) |
        low(words[i + 3] as number)) ===
      0
    ) {
      continue
    }
    for (let j = i; j < i + 4; j++) {
      const word = words[j] as number
      // Nearly always a line break.
      if (
        low(word) === 0 ||
        (kindOf(word) | kindOf(word >> 8) | kindOf(word >> 16) | kindOf(word >> 24)) === 0
      ) {
        continue
      }
      countOneByOne(bytes, wordsAt + 4 * j, wordsAt + 4 * j + 4, counts)
    }
  }
  countOneByOne(bytes, wordsAt + 4 * end, bytes.length, counts)
}
