export interface BriefScans {
  /** Whether this token's scans that seem brief are treated so. */
  areAllowed: (tokenId: string) => boolean
  /** A scan that was treated as brief has ended; without a time if it failed. */
  ended: (tokenId: string, scanMs: number | undefined) => void
}

/**
 * A file that takes longer is not what it seemed: a text that only the scanner reads as a mail with archives
 * in it.
 */
const LONG_MS = 500
const DISTRUST_MS = 60_000
const MAX_TOKENS = 10_000

/**
 * Scans of small texts without a file to unpack take milliseconds, so a token that sends many of them may
 * have all scan workers. A token whose file took long nevertheless loses that for a minute.
 */
export function createBriefScans({ now = Date.now }: { now?: () => number } = {}): BriefScans {
  const distrusted = new Map<string, number>()
  return {
    areAllowed: (tokenId) => (distrusted.get(tokenId) ?? -Infinity) <= now(),
    ended: (tokenId, scanMs = Infinity) => {
      if (scanMs <= LONG_MS) return
      if (distrusted.size >= MAX_TOKENS) distrusted.clear()
      distrusted.set(tokenId, now() + DISTRUST_MS)
    }
  }
}
