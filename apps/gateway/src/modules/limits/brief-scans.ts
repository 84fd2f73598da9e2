import type { FileKind } from '@filewright/contracts'

export interface BriefScans {
  /** Whether the scan of this file will take milliseconds. */
  isBrief: (tokenId: string, file: { kind: FileKind, sizeBytes: number }) => boolean
  /** The scan of a file that was said to be brief has ended; without a time if it failed. */
  ended: (tokenId: string, scanMs: number | undefined) => void
}

const MAX_BYTES = 64 * 1024
/** A file that takes longer is not what it seemed: a text that the scanner reads as a mail with archives in it. */
const LONG_MS = 500
const DISTRUST_MS = 60_000
const MAX_TOKENS = 10_000

/**
 * Small texts and source files hold nothing to unpack, so a token that sends many of them may have all scan workers. A token whose
 * file took long nevertheless loses that for a minute.
 */
export function createBriefScans ({ now = Date.now }: { now?: () => number } = {}): BriefScans {
  const distrusted = new Map<string, number>()
  return {
    isBrief: (tokenId, { kind, sizeBytes }) =>
      kind === 'code' && sizeBytes <= MAX_BYTES && (distrusted.get(tokenId) ?? -Infinity) <= now(),
    ended: (tokenId, scanMs = Infinity) => {
      if (scanMs <= LONG_MS) return
      if (distrusted.size >= MAX_TOKENS) distrusted.clear()
      distrusted.set(tokenId, now() + DISTRUST_MS)
    }
  }
}
