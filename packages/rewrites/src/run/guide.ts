import { divergentIn, type Asked, type Divergent } from './divergence.js'
import type { MutationStep } from './plan.js'
import { rngOf } from './random.js'
import type { Input, Run } from './program-types.js'
import { isLarge } from './run-kinds.js'

export type Side = 'before' | 'after'

/** For each version, the probe of the opposite result of the same condition, by probe number. */
export type Siblings = Readonly<Record<Side, ReadonlyMap<number, number>>>

/** Chooses inputs by the code that earlier inputs reached. */
export interface Guide {
  /** Keeps an input that was among the first to reach a place in one of the versions. */
  keep: (target: number, input: Input, side: Side, run: Run) => void
  /** Changed inputs for the next round. The same kept inputs always give the same result. */
  next: (target: number, round: number, count: number) => Input[]
  /** Whether some input makes the versions compare different values. */
  hasDivergent: () => boolean
}

interface Kept {
  input: Input
  pairs: MutationStep['pairs']
  seeksObject: boolean
  /** Conditions with only one observed result, by the probe of the other result. */
  wanted: Array<{ side: Side; probe: number }>
}

/** More pairs than this reveal nothing about a single value. */
const MAX_PAIRS = 32
/** The share of a round's inputs that derive from divergent inputs. */
const DIVERGENT_SHARE = 0.4
/** The share of the others that derive from inputs at a condition with an unobserved result. */
const WANTED_SHARE = 0.6
/**
 * The share of kept inputs that reached the most comparisons. Half of the remaining inputs derive from these.
 */
const DEEP_SHARE = 0.25
/** The share of inputs with a cycle, if the code searches for objects. */
const CYCLIC_SHARE = 0.4

export function createGuide(siblings: Siblings, isReached: (side: Side, probe: number) => boolean): Guide {
  const kept = new Map<number, Map<string, Kept>>()
  const asked = new Map<number, Map<string, Asked>>()

  function keepOperands(target: number, key: string, input: Input, side: Side, { operands }: Run): void {
    const own = asked.get(target) ?? new Map<string, Asked>()
    asked.set(target, own)
    own.set(key, { input, before: [], after: [], ...own.get(key), [side]: operands })
  }

  const divergentOf = (target: number): Divergent[] => divergentIn([...(asked.get(target)?.values() ?? [])])

  /** How far an input got: the number of places at which the versions compared something. */
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
      const entry = own.get(key) ?? { input, pairs: [], seeksObject: false, wanted: [] }
      const seeksObject = entry.seeksObject || run.seeksObject
      own.set(key, { ...entry, seeksObject, pairs: [...entry.pairs, ...run.pairs] })
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
      const changed = (
        { input, pairs, seeksObject = false }: Divergent & Partial<Kept>,
        isGentle: boolean
      ): Input => {
        const step = { seed: Math.floor(rng() * 2 ** 31), pairs: pairs.slice(0, MAX_PAIRS), isGentle }
        const isCyclic = seeksObject && rng() < CYCLIC_SHARE
        return { ...input, steps: [...input.steps, isCyclic ? { ...step, isCyclic } : step] }
      }
      const list = Array.from({ length: count }, (): Input => {
        if (divergent.length > 0 && rng() < DIVERGENT_SHARE) return changed(pick(divergent), true)
        if (near.length > 0 && rng() < WANTED_SHARE) return changed(pick(near), false)
        return changed(pick(rng() < 0.5 ? deep : all), false)
      })
      // The code may not end with a cycle, and a few of such inputs end the round.
      const isCyclic = ({ steps }: Input): boolean => steps.some((step) => step.isCyclic === true)
      return [...list.filter((each) => !isCyclic(each)), ...list.filter(isCyclic)]
    }
  }
}
