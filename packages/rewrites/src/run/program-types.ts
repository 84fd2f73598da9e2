import type { MutationStep, Operand, Outcome } from './plan.js'

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** The check has used up all its work. */
export class OutOfWorkError extends Error {
  override readonly name = 'OutOfWorkError'
}

/** What all sandboxes of one check may still do, in the sandbox's units. */
export interface WorkBudget {
  left: number
}

export interface Program {
  /** What the code did while it loaded. */
  loaded: string
  has: (target: number) => boolean
  /** Null where the call does not end by itself. Then the program is of no more use. */
  run: (target: number, input: Input) => Run | null
  /** Numbers of the probes that were reached while it loaded. */
  reached: number[]
  close: () => void
}

/** What a function is run with: the inputs of a run by its number, and how they are changed. */
export interface Input {
  run: number
  steps: readonly MutationStep[]
  /** All values are small: with others the function has often not come to an end. */
  isTiny?: boolean
  /** Holes of arrays hold `undefined`. */
  isFilled?: boolean
}

export interface Run extends Outcome {
  /** What the code did between the call and its end, in the sandbox's units. */
  work: number
  /** Numbers of the probes that few runs before it have reached. Empty where the run does not count. */
  reached: number[]
  /** What the code compared, in a run that reached something. */
  pairs: MutationStep['pairs']
  /** The last operand at each place where the code compares; empty where the run does not count. */
  operands: ReadonlyArray<Operand | null>
}

export interface Sandbox {
  /**
   * Loads code beside the harness, each in a realm of its own. Throws `SandboxError` for code that cannot be
   * loaded, and `OutOfWorkError` here and in each run when the budget has no work left.
   */
  start: (script: string, plan: string) => Program
  /** Whether it was stopped in the middle of something: then it is of no more use. */
  isStopped: () => boolean
}
