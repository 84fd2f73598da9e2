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
}

interface Kept {
  input: Input
  pairs: Array<MutationStep['pairs'][number]>
  /** Conditions that it answered in one way, by the probe of the other answer. */
  wanted: Array<{ side: Side; probe: number }>
}

/** More than this says nothing about one value. */
const MAX_PAIRS = 32
/** Of the inputs of a round: those made from inputs that came to a condition whose other answer is missing. */
const WANTED_SHARE = 0.6

export function createGuide(siblings: Siblings, isReached: (side: Side, probe: number) => boolean): Guide {
  const kept = new Map<number, Map<string, Kept>>()

  return {
    keep: (target, input, side, { reached, pairs }) => {
      if (reached.length === 0 || isLarge(input.run)) return
      const own = kept.get(target) ?? new Map<string, Kept>()
      kept.set(target, own)
      const key = JSON.stringify([input.run, input.steps.map(({ seed }) => seed)])
      const entry = own.get(key) ?? { input, pairs: [], wanted: [] }
      own.set(key, entry)
      entry.pairs.push(...pairs)
      for (const probe of reached) {
        const other = siblings[side].get(probe)
        if (other !== undefined) entry.wanted.push({ side, probe: other })
      }
    },
    next: (target, round, count) => {
      const all = [...(kept.get(target)?.values() ?? [])]
      if (all.length === 0) return []
      const near = all.filter(({ wanted }) => wanted.some(({ side, probe }) => !isReached(side, probe)))
      const rng = rngOf(target * 1_009 + round * 31 + 7)
      return Array.from({ length: count }, (): Input => {
        const list = near.length > 0 && rng() < WANTED_SHARE ? near : all
        const { input, pairs } = list[Math.floor(rng() * list.length)]!
        const step = { seed: Math.floor(rng() * 2 ** 31), pairs: pairs.slice(0, MAX_PAIRS) }
        return { ...input, steps: [...input.steps, step] }
      })
    }
  }
}
