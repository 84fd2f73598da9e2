import { createLocalWindows } from './local-windows.js'

export interface LoginGuard {
  /** Counts a wrong token or password. Returns false when the address has sent too many recently. */
  failed: (address: string) => boolean
  /** Seconds until an address that has sent too many may try again; 0 if it may now. */
  blockedSeconds: (address: string) => number
}

const WINDOW_MS = 60_000

/**
 * Tells somebody who tries tokens to slow down. A good token is never refused: many clients may share an
 * address, behind a proxy say. Counted by each gateway for itself: 256 random bits are not guessed at any
 * rate. A password can be, so its check asks `blockedSeconds` first.
 *
 * @param perMinute failures per address; 0 is no limit
 */
export function createLoginGuard(perMinute: number): LoginGuard {
  const failures = createLocalWindows(WINDOW_MS)
  return {
    failed: (address) => perMinute === 0 || failures.hit(address).count <= perMinute,
    blockedSeconds: (address) => {
      const { count, resetMs } = failures.look(address)
      return perMinute !== 0 && count > perMinute ? Math.ceil(resetMs / 1_000) : 0
    }
  }
}
