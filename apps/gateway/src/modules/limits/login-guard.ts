import { createLocalWindows } from './local-windows.js'

export interface LoginGuard {
  /** False for an address with too many bad tokens lately, unless the token is one that was good before. */
  admits: (address: string, tokenHash: string) => boolean
  failed: (address: string, tokenHash: string) => void
  succeeded: (tokenHash: string) => void
}

const WINDOW_MS = 60_000
const MAX_KNOWN = 10_000

/**
 * Spares the database the look-ups of somebody who tries tokens. Many clients may share an address, behind a proxy say, so those that are
 * known go on. Counted by each gateway for itself: 256 random bits are not guessed at any rate.
 *
 * @param perMinute failures per address; 0 is no limit
 */
export function createLoginGuard (perMinute: number): LoginGuard {
  const failures = createLocalWindows(WINDOW_MS)
  const known = new Set<string>()
  return {
    admits: (address, tokenHash) => perMinute === 0 || failures.count(address) < perMinute || known.has(tokenHash),
    failed: (address, tokenHash) => {
      failures.hit(address)
      known.delete(tokenHash)
    },
    succeeded: (tokenHash) => {
      if (known.size >= MAX_KNOWN) known.clear()
      known.add(tokenHash)
    }
  }
}
