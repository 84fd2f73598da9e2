const FIRST_MS = 5_000
const FACTOR = 3
const MAX_MS = 3 * 3_600_000

/** After this time of failures only, the endpoint is disabled. */
export const GIVE_UP_HOURS = 24

/**
 * The delay after `failures` failed attempts: 5 s, 15 s, 45 s … 3 h, varied by up to a quarter. The variation
 * keeps deliveries from calling a recovered endpoint all at once.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * FACTOR ** (failures - 1), MAX_MS)
  return Math.round(delay * (0.75 + random() / 2))
}
