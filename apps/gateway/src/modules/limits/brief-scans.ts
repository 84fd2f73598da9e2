export interface BriefScans {
  /** Whether this token's apparently brief scans are treated as brief. */
  areAllowed: (tokenId: string) => boolean
  /** A scan that was treated as brief has ended; without a duration if it failed. */
  ended: (tokenId: string, scanMs: number | undefined) => void
}

/**
 * A file that takes longer was not a plain text after all: clamd may read it as a mail with archives in it.
 */
const LONG_MS = 500
const DISTRUST_MS = 60_000
const MAX_TOKENS = 10_000

/**
 * Scans of small texts with nothing to unpack take milliseconds, so a token that sends many of them may use
 * all scan workers. A token whose file took long loses this for a minute.
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
