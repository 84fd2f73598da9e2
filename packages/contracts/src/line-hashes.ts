const CHARS = 100
const FACTOR = 37
const END_OF_FILE = 0xffff
const UINT32 = 2 ** 32

/**
 * The hash of the characters from `start`, modulo 2^64. Computed in two halves, because a JavaScript number
 * has 53 bits.
 */
function hashFrom(chars: string, start: number): string {
  let high = 0
  let low = 0
  for (let at = start; at < start + CHARS; at++) {
    const char = at < chars.length ? chars.charCodeAt(at) : at === chars.length ? END_OF_FILE : 0
    const sum = low * FACTOR + char
    low = sum >>> 0
    high = (high * FACTOR + Math.floor(sum / UINT32)) >>> 0
  }
  return high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0')
}

/**
 * The identity of findings in GitHub's code scanning: a hash of the hundred characters from the beginning of
 * a line, without spaces and tabs, and its occurrence number. GitHub's upload action computes the same, so an
 * alert stays the same however SARIF is uploaded.
 */
export function lineHashes(lines: readonly string[]): string[] {
  const stripped = lines.map((line) => line.replace(/[ \t]/g, ''))
  const chars = stripped.join('\n')
  const counts = new Map<string, number>()
  let start = 0
  return stripped.map((line) => {
    const hash = hashFrom(chars, start)
    start += line.length + 1
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    return `${hash}:${count}`
  })
}
