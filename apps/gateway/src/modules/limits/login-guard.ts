import { createLocalWindows } from './local-windows.js'

export interface LoginGuard {
  /** Counts a wrong token or password. Returns false when the address has sent too many recently. */
  failed: (address: string) => boolean
  /** Seconds until an address that has sent too many may try again; 0 if it may now. */
  blockedSeconds: (address: string) => number
}

const WINDOW_MS = 60_000

/**
 * Slows down clients that try tokens. A valid token is never refused: many clients may share an address, for
 * example behind a proxy. Each gateway counts alone, because 256 random bits cannot be guessed at any rate. A
 * password can be guessed, so its check calls `blockedSeconds` first.
 * @param perMinute failures per address; 0 means no limit
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
