import type { PlainShape } from './shape.js'

export interface Plan {
  /** Functions and classes, in the order in which they run. */
  targets: PlannedTarget[]
  free: Record<string, PlainShape>
  modules: Record<string, PlainShape>
  /** Literals of the code, and examples that its comments quote. */
  mined: { numbers: number[]; texts: string[]; examples: string[] }
  /** How many probes the version with more of them has. */
  probes: number
}

export interface PlannedTarget {
  /** Where it is found once the module has run. */
  access: string
  params: PlainShape[]
  /** The last parameter takes all arguments that are left. */
  isRest?: boolean
  /** Of a class: its public methods. */
  methods?: Array<{ name: string; params: PlainShape[]; isRest?: boolean }>
  /** What functions inside it take, by their names; without a name those that it returns. */
  inner?: Record<string, { params: PlainShape[]; isRest?: boolean }>
}

/** A string or number that the code compared with another one. */
export type Operand = string | number

/** Inputs that reached something are made again with changes that follow from these. */
export interface MutationStep {
  seed: number
  /** What the code compared with each other. */
  pairs: ReadonlyArray<readonly [Operand, Operand]>
  /** Most values stay as they are. */
  isGentle?: boolean
}

/** Gives the next number from 0 to below 1. */
export type Rng = () => number

/** What one call did, as text, so that two of them can be compared. */
export interface Outcome {
  end: string
  /** It fell over its input: nobody says what should happen then. */
  isCrash: boolean
  /** It ran out of stack or memory: where that happens is a matter of the machine. */
  isLimit: boolean
  /**
   * It does not count: an array had a hole and the code passes on what is not there (NaN, undefined), a key of
   * the input became a prototype, or there were so many calls that they were cut off.
   */
  isSpoilt: boolean
  /** An array of the input had a hole; absent where nobody can say. */
  hasHoles?: boolean
  /** Whether a value was not of the kind that the code's own use of it suggests; absent where nobody can say. */
  isMistyped?: boolean
  args: string
  calls: string[]
  awaited: string[]
  /** What a second call with equal arguments did after the caller had changed the first result. */
  again: string
}
