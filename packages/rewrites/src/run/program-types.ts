import type { MutationStep, Operand, Outcome } from './plan.js'

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** The check has used up all its work. */
export class OutOfWorkError extends Error {
  override readonly name = 'OutOfWorkError'
}

/** The remaining work of all sandboxes of one check, in the sandbox's units. */
export interface WorkBudget {
  left: number
}

export interface Program {
  /** The effects of loading the code. */
  loaded: string
  has: (target: number) => boolean
  /** Null if the call does not end by itself. The program is then unusable. */
  run: (target: number, input: Input) => Run | null
  /** Numbers of the probes that were reached while it loaded. */
  reached: number[]
  close: () => void
}

/** The input of a call: the number of the run, and the changes to its values. */
export interface Input {
  run: number
  steps: readonly MutationStep[]
  /** Whether all values are small, because the function often did not end with others. */
  isTiny?: boolean
  /** Holes of arrays hold `undefined`. */
  isFilled?: boolean
}

export interface Run extends Outcome {
  /** The work of the code from the call to its end, in the sandbox's units. */
  work: number
  /** Numbers of the probes that few earlier runs reached. Empty if the run does not count. */
  reached: number[]
  /** The values that the code compared, in a run that reached such a probe. */
  pairs: MutationStep['pairs']
  /** The last operand of each comparison; empty if the run does not count. */
  operands: ReadonlyArray<Operand | null>
  /** Whether the code searched for an object, as it does to detect cycles. */
  seeksObject: boolean
}

export interface Sandbox {
  /**
   * Loads code beside the harness, each in its own realm. Throws `SandboxError` for code that cannot be
   * loaded, and, here and in each run, `OutOfWorkError` when the budget is used up.
   */
  start: (script: string, plan: string) => Program
  /** Whether it was stopped in the middle of a call. It is then unusable. */
  isStopped: () => boolean
}
