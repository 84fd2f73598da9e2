import type { MutationStep, Operand } from './plan.js'
import type { Input, Run } from './program-types.js'

/** What both versions compared with one input, by the places where they compare. */
export interface Asked {
  input: Input
  before: Run['operands']
  after: Run['operands']
}

export interface Divergent {
  input: Input
  /** What the one version compared, and what the other one did in its place. */
  pairs: MutationStep['pairs']
}

/** Two places of the versions belong together if they compared the same at least so often. */
const LEAST_AGREED = 8
/** And something else at most once in so many times. */
const AGREED_PER_DIFFERENCE = 6
const MAX_DIVERGENT = 24

/**
 * Inputs with which the versions compare something else at places that otherwise compare the same: a key that one
 * of them spells in another way. The results differ only if something is found there.
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
  // Inputs that were made from divergent ones diverge as well.
  const isMade = (index: number): boolean =>
    list[index]!.input.steps.some(({ isGentle }) => isGentle === true)
  const found = new Map<number, Array<readonly [Operand, Operand]>>()
  for (const { agreed, differing } of places.values()) {
    const differences = differing.filter(([index]) => !isMade(index)).length
    if (agreed < LEAST_AGREED || differences * AGREED_PER_DIFFERENCE > agreed) continue
    for (const [index, pair] of differing) found.set(index, [...(found.get(index) ?? []), pair])
  }
  return [...found].slice(0, MAX_DIVERGENT).map(([index, pairs]) => ({ input: list[index]!.input, pairs }))
}
