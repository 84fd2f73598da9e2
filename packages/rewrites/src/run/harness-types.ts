import type { createArguments } from './arguments.js'
import type { createChange } from './change-result.js'
import type { Probes } from './code-realm.js'
import type { createCodeTexts } from './code-texts.js'
import type { createContainers } from './containers.js'
import type { createCopies } from './copies.js'
import type { Coverage, createCoverage } from './coverage.js'
import type { createFreeNames } from './free-names.js'
import type { createInputs } from './inputs.js'
import type { createLook } from './look.js'
import type { createModuleView } from './module-view.js'
import type { createMutations } from './mutations.js'
import type { Outcome } from './plan.js'
import type { createPrimitives } from './primitives.js'
import type { hashOf, rngOf } from './random.js'
import type { createSettle } from './settle.js'
import type { createShow } from './show.js'
import type { createStandIns } from './stand-ins.js'
import type { createTimers } from './timers.js'

/** The other parts of the harness: their texts are evaluated beside it. */
export interface HarnessParts {
  createArguments: typeof createArguments
  createChange: typeof createChange
  createCodeTexts: typeof createCodeTexts
  createContainers: typeof createContainers
  createCopies: typeof createCopies
  createCoverage: typeof createCoverage
  createFreeNames: typeof createFreeNames
  createInputs: typeof createInputs
  createLook: typeof createLook
  createModuleView: typeof createModuleView
  createMutations: typeof createMutations
  createPrimitives: typeof createPrimitives
  createSettle: typeof createSettle
  createShow: typeof createShow
  createStandIns: typeof createStandIns
  createTimers: typeof createTimers
  hashOf: typeof hashOf
  rngOf: typeof rngOf
}

export interface Harness {
  load: () => string
  has: (target: number) => boolean
  /**
   * Makes the arguments of a run: 0 for usual ones, 1 for wild ones, 2 for long ones, 3 for nested ones. They are
   * changed by the steps, which are JSON, or empty if there are none.
   */
  prepare: (
    target: number,
    run: number,
    kind: number,
    isTiny: number,
    isFilled: number,
    steps: string
  ) => void
  /** Whether timers wait after it. */
  call: () => boolean
  /** Lets the next timer come; false when there is none. */
  tick: () => boolean
  /**
   * A `ShownOutcome` as JSON. Empty where the result was changed and the function called once more with equal
   * arguments: then it is to be asked again.
   */
  outcome: () => string
  /** What the code reached while it loaded, as JSON. */
  reached: () => string
}

export interface ShownOutcome extends Outcome {
  /** What the code reached and compared; null where the run does not count. */
  seen: ReturnType<Coverage['take']> | null
}

export type Load = (
  scope: object,
  module: object,
  require: (name: string) => unknown,
  probes: Probes
) => Record<string, any>
