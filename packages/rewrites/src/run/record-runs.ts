import { sameOutcome } from './compare-outcomes.js'
import type { Guide } from './guide.js'
import type { Input, Run } from './program-types.js'
import type { Version } from './version.js'

/** After this many calls that did not end, or after this much work, only small values are passed. */
const ENDLESS_BEFORE_TINY = 4
const WORK_BEFORE_TINY = 60_000_000

/** The outcomes of the original for the inputs of one function in one round. */
export interface Recorded {
  unit: string
  target: number
  outcomes: Array<{ input: Input; run: Run | null }>
  isComplete: boolean
}

/** Whether a run counts. If the original crashes or its result is unusable, the rewrite may do anything. */
export const isCompared = (run: Run | null): run is Run => run !== null && !run.isCrash && !run.isSpoilt

export const comparedIn = ({ outcomes }: Recorded): Run[] => outcomes.map(({ run }) => run).filter(isCompared)

export const workOf = (runs: readonly Run[]): number => runs.reduce((sum, { work }) => sum + work, 0)

export interface RunLimits {
  /** After this many calls that do not end, a function is not run any more and counts as unknown. */
  maxEndless: number
  /** Called before each input. */
  mayGoOn: () => boolean
}

/** Runs the original with these inputs. Arrays with holes are passed a second time, with `undefined` in the holes. */
export async function outcomesOf(
  version: Version,
  target: number,
  inputs: readonly Input[],
  { maxEndless, mayGoOn }: RunLimits
): Promise<Pick<Recorded, 'outcomes' | 'isComplete'>> {
  const outcomes: Recorded['outcomes'] = []
  let endless = 0
  let work = 0
  let done = 0
  const recorded = async (input: Input): Promise<Run | null> => {
    const run = await version.run(target, input)
    if (run === null) {
      endless++
      version.restart()
    }
    work += run?.work ?? 0
    return run
  }
  if (!(await version.has(target))) return { outcomes, isComplete: false }
  for (const each of inputs) {
    if (endless >= maxEndless || !mayGoOn()) break
    const isCostly = endless >= ENDLESS_BEFORE_TINY || work > WORK_BEFORE_TINY
    const input = isCostly ? { ...each, isTiny: true } : each
    const run = await recorded(input)
    done++
    if (run?.hasHoles !== true) {
      outcomes.push({ input, run })
      continue
    }
    const filled = { ...input, isFilled: true }
    const other = await recorded(filled)
    const isSpoilt = run.isSpoilt || (other !== null && !distinguishesHoles(run, other))
    outcomes.push({ input, run: { ...run, isSpoilt } }, { input: filled, run: other })
  }
  return { outcomes, isComplete: done === inputs.length }
}

/**
 * Whether the original distinguishes a hole from `undefined`, as `forEach` does. Otherwise it was not written
 * for holes: a loop that becomes `map` would differ only there.
 */
function distinguishesHoles(run: Run, filled: Run): boolean {
  const seen = ({ end, args, calls, again }: Run): string =>
    [end, args, ...calls, again].join('\n').replaceAll('<empty>', 'undefined')
  return seen(run) !== seen(filled)
}

export async function firstDifference(
  { target, outcomes }: Recorded,
  version: Version,
  guide: Guide | null
): Promise<{ difference: string | null; work: number }> {
  let work = 0
  for (const { input, run: expected } of outcomes) {
    if (expected === null) {
      version.restart()
      continue
    }
    const actual = await version.run(target, input)
    if (actual === null) {
      version.restart()
      // If the original failed on an input, the rewrite may take any time for it.
      if (!isCompared(expected)) continue
      return { difference: 'it does not come to an end', work }
    }
    guide?.keep(target, input, 'after', actual)
    if (!isCompared(expected)) continue
    if (expected.isMistyped === true && actual.isCrash) continue
    work += actual.work
    const difference = sameOutcome(expected, actual)
    if (difference !== null) return { difference, work }
  }
  return { difference: null, work }
}
