import type { MutationStep, Operand } from './plan.js'
import type { Input, Run } from './program-types.js'

/** The values that both versions compared for one input, by the place of each comparison. */
export interface Asked {
  input: Input
  before: Run['operands']
  after: Run['operands']
}

export interface Divergent {
  input: Input
  /** The values that one version compared, with the counterparts of the other. */
  pairs: MutationStep['pairs']
}

/** Two places in the versions correspond if they compared equal values at least this often. */
const MIN_AGREED = 8
/** And different values at most once in this many times. */
const AGREED_PER_DIFFERENCE = 6
const MAX_DIVERGENT = 24

/**
 * Inputs for which corresponding places compare different values, for example a key that one version spells
 * differently. The results differ only if that value is found.
 */
export function divergentIn(list: readonly Asked[]): Divergent[] {
  const places = new Map<
    string,
    { agreed: number; differing: Array<[number, readonly [Operand, Operand]]> }
  >()
  for (const [index, { before, after }] of list.entries()) {
    for (const [at, old] of before.entries()) {
      for (const [place, now] of after.entries()) {
        if (old === null || now === null || typeof old !== typeof now) continue
        const key = `${at} ${place}`
        const counts = places.get(key) ?? { agreed: 0, differing: [] }
        places.set(key, counts)
        if (old !== now) counts.differing.push([index, [old, now]])
        else counts.agreed++
      }
    }
  }
  // Inputs derived from divergent ones diverge as well.
  const isMade = (index: number): boolean =>
    list[index]!.input.steps.some(({ isGentle }) => isGentle === true)
  const found = new Map<number, Array<readonly [Operand, Operand]>>()
  for (const { agreed, differing } of places.values()) {
    const differences = differing.filter(([index]) => !isMade(index)).length
    if (agreed < MIN_AGREED || differences * AGREED_PER_DIFFERENCE > agreed) continue
    for (const [index, pair] of differing) found.set(index, [...(found.get(index) ?? []), pair])
  }
  return [...found].slice(0, MAX_DIVERGENT).map(([index, pairs]) => ({ input: list[index]!.input, pairs }))
}
