import { divergentIn, type Asked, type Divergent } from './divergence.js'
import type { MutationStep } from './plan.js'
import { rngOf } from './random.js'
import type { Input, Run } from './program-types.js'
import { isLarge } from './run-kinds.js'

export type Side = 'before' | 'after'

/** For each version the probe of the other answer to the same condition, by the number of a probe. */
export type Siblings = Readonly<Record<Side, ReadonlyMap<number, number>>>

/** Chooses inputs by what others have reached. */
export interface Guide {
  /** Keeps an input that was among the first to reach something in one of the versions. */
  keep: (target: number, input: Input, side: Side, run: Run) => void
  /** Changed inputs for the next round: always the same for the same inputs that were kept. */
  next: (target: number, round: number, count: number) => Input[]
  /** Whether there are inputs with which the versions of some function compare something else. */
  hasDivergent: () => boolean
}

interface Kept {
  input: Input
  pairs: MutationStep['pairs']
  /** Conditions that it answered in one way, by the probe of the other answer. */
  wanted: Array<{ side: Side; probe: number }>
}

/** More than this says nothing about one value. */
const MAX_PAIRS = 32
/** Of the inputs of a round: those made from inputs in which the versions compare something else. */
const DIVERGENT_SHARE = 0.4
/** Of the others: those made from inputs that came to a condition whose other answer is missing. */
const WANTED_SHARE = 0.6
/** Of the inputs that were kept: those that came farthest, which half of the rest are made from. */
const DEEP_SHARE = 0.25

export function createGuide(siblings: Siblings, isReached: (side: Side, probe: number) => boolean): Guide {
  const kept = new Map<number, Map<string, Kept>>()
  const asked = new Map<number, Map<string, Asked>>()

  function keepOperands(target: number, key: string, input: Input, side: Side, { operands }: Run): void {
    const own = asked.get(target) ?? new Map<string, Asked>()
    asked.set(target, own)
    own.set(key, { input, before: [], after: [], ...own.get(key), [side]: operands })
  }

  const divergentOf = (target: number): Divergent[] => divergentIn([...(asked.get(target)?.values() ?? [])])

  /** At how many places the versions compared something: how far an input came. */
  function depthOf(target: number, key: string): number {
    const { before = [], after = [] } = asked.get(target)?.get(key) ?? {}
    return [...before, ...after].filter((operand) => operand !== null).length
  }

  return {
    hasDivergent: () => [...asked.keys()].some((target) => divergentOf(target).length > 0),
    keep: (target, input, side, run) => {
      if (isLarge(input.run)) return
      const key = JSON.stringify([input.run, input.isFilled === true, input.steps.map(({ seed }) => seed)])
      if (run.operands.length > 0) keepOperands(target, key, input, side, run)
      if (run.reached.length === 0) return
      const own = kept.get(target) ?? new Map<string, Kept>()
      kept.set(target, own)
      const entry = own.get(key) ?? { input, pairs: [], wanted: [] }
      own.set(key, { ...entry, pairs: [...entry.pairs, ...run.pairs] })
      for (const probe of run.reached) {
        const other = siblings[side].get(probe)
        if (other !== undefined) entry.wanted.push({ side, probe: other })
      }
    },
    next: (target, round, count) => {
      const all = [...(kept.get(target)?.entries() ?? [])]
        .map(([key, each]) => ({ ...each, depth: depthOf(target, key) }))
        .sort((a, b) => b.depth - a.depth)
      if (all.length === 0) return []
      const deep = all.slice(0, Math.ceil(all.length * DEEP_SHARE))
      const near = all.filter(({ wanted }) => wanted.some(({ side, probe }) => !isReached(side, probe)))
      const divergent = divergentOf(target)
      const rng = rngOf(target * 1_009 + round * 31 + 7)
      const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(rng() * list.length)]!
      const changed = ({ input, pairs }: Pick<Kept, 'input' | 'pairs'>, isGentle: boolean): Input => {
        const step = { seed: Math.floor(rng() * 2 ** 31), pairs: pairs.slice(0, MAX_PAIRS), isGentle }
        return { ...input, steps: [...input.steps, step] }
      }
      return Array.from({ length: count }, (): Input => {
        if (divergent.length > 0 && rng() < DIVERGENT_SHARE) return changed(pick(divergent), true)
        if (near.length > 0 && rng() < WANTED_SHARE) return changed(pick(near), false)
        return changed(pick(rng() < 0.5 ? deep : all), false)
      })
    }
  }
}
