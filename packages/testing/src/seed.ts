import { randomInt } from 'node:crypto'

/**
 * Repeats a test's random inputs: the same seed gives the same. `npm test` sets it for all files and prints
 * it with each failure.
 */
const SEED = 'TEST_SEED'

let drawn: number | undefined

/** One for the whole process; it is printed, so that a file run separately can be repeated. */
export function testSeed(t: { comment: (text: string) => unknown }): number {
  drawn ??= Number(process.env[SEED] || randomInt(1, 2 ** 31))
  if (!Number.isSafeInteger(drawn)) throw new Error(`${SEED} must be a whole number: ${process.env[SEED]}`)
  t.comment(`${SEED}=${drawn}`)
  return drawn
}

/** Mulberry32: numbers in [0, 1) that the seed replays. */
export function numbersFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
