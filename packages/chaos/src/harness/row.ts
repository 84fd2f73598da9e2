import type { History, Operation } from './history.js'
import type { Random } from './random.js'
import type { Rig } from './rig.js'

export type Profile = 'quick' | 'full'

/** One row of the fault table: its faults, their number, and the conditions that must hold. */
export interface Row {
  name: string
  /** The numbers of the promises in docs/reliability.md. */
  promises: readonly string[]
  /** The target of the full profile, as text. */
  target: string
  counts: Record<Profile, number>
  /** Set where times are compared: such a row runs alone. */
  comparesTimes?: true
  /**
   * Selects the operations that the history is checked for, if the row itself decides about some. Default: all.
   */
  settle?: (operations: Operation[]) => Operation[]
  run: (context: RowContext) => Promise<void>
}

export interface RowContext {
  seed: number
  random: Random
  /** How many faults, or hostile inputs, to try. */
  count: number
  profile: Profile
  /** The duration over which a row spreads its faults, if it can. Default: as fast as possible. */
  minutes?: number | undefined
  /** The shared stack. After the row, its servers are started again and its scripts removed. */
  rig: Rig
  /** Checked with the history, for leaks and, if the row proves P10, for slow recoveries. */
  tally: Tally
  history: History
  /** Runs after the row, whether it succeeded or not: the last one registered first. */
  after: (undo: () => unknown) => void
  /** A progress line for a long run. */
  say: (line: string) => void
}

export interface RowResult {
  operations: number
  injected: number
  /** Faults that hit their target: a row that hits nothing proves nothing, and fails. */
  hit: number
  violations: string[]
  /** The times from each fault, or its end, until the service is healthy. */
  recoveryMs: number[]
}

export interface Tally extends RowResult {
  violate: (what: string) => void
  /** Records a violation unless the condition holds. */
  expect: (condition: boolean, what: string) => void
}

const MAX_KEPT = 50

export function createTally(): Tally {
  const tally: Tally = {
    operations: 0,
    injected: 0,
    hit: 0,
    violations: [],
    recoveryMs: [],
    violate: (what) => {
      if (tally.violations.length < MAX_KEPT) tally.violations.push(what)
    },
    expect: (condition, what) => {
      if (!condition) tally.violate(what)
    }
  }
  return tally
}
