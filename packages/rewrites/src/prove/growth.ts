import type { LoadedCode } from './machine.js'

export type RunWork = (expression: string) => Promise<number | null>

const MAX_PATTERN_WORK = 400_000
/** Below it the difference may be chance. */
const MIN_WORK = 300
/** Growth up to this much work is no chance. Going on would cost an instance of the sandbox. */
const ENOUGH_WORK = 40_000
/** An exponential is clear earlier. */
const ENOUGH_FOR_EXPONENT = 6_000

const EXPONENTIAL_SIZES = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33] as const
/** From each size to the next the work of an exponential grows by the same factor, which is at least this. */
const MIN_GROWTH = 2.8
/** That of a power falls to less than this part of the factor before it, as long as it is above the minimum. */
const MIN_STEADY = 0.8
/** From this size on, an exponential grows by more than this. */
const CLEAR_EXPONENT = 15
const MIN_FLAT = 1.5
/** No exponential of that growth ends within the limit of work here. A function that refuses long texts does. */
const LONG = 48

/** Each twice the one before. Work that grows with the square reaches `ENOUGH_WORK` before the end. */
const POWER_SIZES = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] as const
/** Twice the length takes twice the work if it is linear, and four times if it is a square. */
const MIN_POWER = 3.2
/** A pattern alone shows its power from this size on. */
const CLEAR_SIZE = 64
/** How the work grows with the number of repetitions. */
export interface Growth {
  isExponential: boolean
  /** A number of repetitions, and its work: the limit where it is above that. */
  size: number
  work: number
}

export const workIn =
  ({ run }: Pick<LoadedCode, 'run'>): RunWork =>
  async (expression) =>
    (await run(expression, MAX_PATTERN_WORK))?.work ?? null

export async function growthOf(
  run: RunWork,
  callWith: (repeats: number) => string,
  isExponential: boolean
): Promise<Growth | null> {
  if (!isExponential) {
    const power = await powerOf(run, callWith, POWER_SIZES.at(-1)!)
    const longer = power === null ? 0 : await run(callWith(power.size * 8))
    // A function that refuses long texts has no such work.
    return longer === null ? power : null
  }
  const growth = await exponentialOf(run, callWith)
  if (growth === null) return null
  const isLong = (await run(callWith(LONG))) === null
  return isLong ? { isExponential, size: LONG, work: MAX_PATTERN_WORK } : null
}

export async function exponentialOf(
  run: RunWork,
  callWith: (repeats: number) => string
): Promise<Growth | null> {
  let base = 0
  let last = 0
  let growth = 0
  for (const size of EXPONENTIAL_SIZES) {
    const ended = await run(callWith(size))
    const work = ended ?? MAX_PATTERN_WORK
    if (size === 0) base = work
    const now = work - base
    const next = last > 0 ? now / last : 0
    // At the limit of work the factor is only known to be at least this.
    const isSteady = ended === null || next >= MIN_STEADY * growth
    const isGrowing = last >= MIN_WORK && growth > 0 && next >= MIN_GROWTH && isSteady
    if (isGrowing && now >= ENOUGH_FOR_EXPONENT) return { isExponential: true, size, work }
    if (ended === null && last >= MIN_WORK && (await isFast(size, last))) {
      return { isExponential: true, size, work }
    }
    const isFlat = size >= CLEAR_EXPONENT && (now < MIN_WORK || next < MIN_FLAT)
    if (ended === null || isFlat) return null
    growth = next
    last = now
  }
  return null

  /** Whether the work has grown by the same factor twice, one repetition at a time. */
  async function isFast(size: number, before: number): Promise<boolean> {
    const first = ((await run(callWith(size - 2))) ?? MAX_PATTERN_WORK) - base
    const second = ((await run(callWith(size - 1))) ?? MAX_PATTERN_WORK) - base
    const factor = first / before
    return factor >= MIN_GROWTH && second / first >= MIN_STEADY * factor
  }
}

export const powerOfPattern: typeof exponentialOf = async (run, callWith) =>
  await powerOf(run, callWith, CLEAR_SIZE)

/**
 * The work of each size is a multiple of that of its half.
 * @param clearSize the size from which on it must be: beside other work it shows later
 */
async function powerOf(
  run: RunWork,
  callWith: (repeats: number) => string,
  clearSize: number
): Promise<Growth | null> {
  let base = 0
  let last = 0
  let steps = 0
  for (const size of POWER_SIZES) {
    const ended = await run(callWith(size))
    const work = ended ?? MAX_PATTERN_WORK
    if (size === 0) base = work
    const now = work - base
    steps = last >= MIN_WORK && now / last >= MIN_POWER ? steps + 1 : 0
    if (now >= ENOUGH_WORK && steps >= 2) return { isExponential: false, size, work }
    if (ended === null || (size > clearSize && now / last < MIN_POWER - 0.5)) return null
    last = now
  }
  return null
}
