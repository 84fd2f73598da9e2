const FIRST_MS = 5_000
const FACTOR = 3
const MAX_MS = 3 * 3_600_000

/** After this time of failures only, the endpoint is disabled. */
export const GIVE_UP_HOURS = 24

/**
 * Until the attempt after `failures` failed ones: 5 s, 15 s, 45 s … 3 h, each a quarter shorter or longer, so
 * that an endpoint that comes back is not called by all at once.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * FACTOR ** (failures - 1), MAX_MS)
  return Math.round(delay * (0.75 + random() / 2))
}
