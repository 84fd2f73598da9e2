import type { PlainShape } from './shape.js'

export interface Plan {
  /** Functions and classes, in the order in which they run. */
  targets: PlannedTarget[]
  free: Record<string, PlainShape>
  modules: Record<string, PlainShape>
  /** Literals of the code, and examples that its comments quote. */
  mined: { numbers: number[]; texts: string[]; examples: string[] }
  /** The number of probes in the version that has more. */
  probes: number
}

export interface PlannedTarget {
  /** The expression that finds it once the module has run. */
  access: string
  params: PlainShape[]
  /** Whether the last parameter takes all remaining arguments. */
  isRest?: boolean
  /** For a class: its public methods. */
  methods?: Array<{ name: string; params: PlainShape[]; isRest?: boolean }>
  /** The parameters of functions inside it, by name. The empty name is for functions that it returns. */
  inner?: Record<string, { params: PlainShape[]; isRest?: boolean }>
}

/** A string or number that the code compared. */
export type Operand = string | number

/** A change to an input. The input is repeated with values derived from these. */
export interface MutationStep {
  seed: number
  /** Pairs of values that the code compared. */
  pairs: ReadonlyArray<readonly [Operand, Operand]>
  /** Whether most values stay the same. */
  isGentle?: boolean
  /** Whether an object becomes a part of itself, or is in two places. */
  isCyclic?: boolean
}

/** Returns the next number in [0, 1). */
export type Rng = () => number

/** The effects of one call, as text, so that two outcomes can be compared. */
export interface Outcome {
  end: string
  /** The original failed on its input, so the correct result is undefined. */
  isCrash: boolean
  /** Stack or memory ran out. The exact point depends on the machine. */
  isLimit: boolean
  /**
   * The outcome does not count. Reasons: an array had a hole and the code passes on a missing value (NaN,
   * undefined); a key of the input became a prototype; or so many calls occurred that they were cut off.
   */
  isSpoilt: boolean
  /** Whether an array of the input had a hole; absent if unknown. */
  hasHoles?: boolean
  /** Whether a value had another kind than the code's own use of it suggests; absent if unknown. */
  isMistyped?: boolean
  args: string
  calls: string[]
  awaited: string[]
  /** The effects of a second call with equal arguments, after the caller changed the first result. */
  again: string
}
