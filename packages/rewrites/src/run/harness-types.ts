import type { createArguments } from './arguments.js'
import type { createChange } from './change-result.js'
import type { Probes } from './code-realm.js'
import type { createCodeTexts } from './code-texts.js'
import type { createContainers } from './containers.js'
import type { createCopies } from './copies.js'
import type { Coverage, createCoverage } from './coverage.js'
import type { createCycles } from './cycles.js'
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

/** The other parts of the harness. Their texts are evaluated together with it. */
export interface HarnessParts {
  createArguments: typeof createArguments
  createChange: typeof createChange
  createCodeTexts: typeof createCodeTexts
  createContainers: typeof createContainers
  createCopies: typeof createCopies
  createCoverage: typeof createCoverage
  createCycles: typeof createCycles
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
   * Creates the arguments of a run: 0 usual, 1 wild, 2 long, 3 nested. `steps` is JSON with the changes to
   * apply, or empty.
   */
  prepare: (
    target: number,
    run: number,
    kind: number,
    isTiny: number,
    isFilled: number,
    steps: string
  ) => void
  /** Returns whether timers are pending. */
  call: () => boolean
  /** Runs the next timer; false if there is none. */
  tick: () => boolean
  /**
   * A `ShownOutcome` as JSON. Empty if the result was changed and the function was called again with equal
   * arguments: then ask again.
   */
  outcome: () => string
  /** The probes that loading the code reached, as JSON. */
  reached: () => string
}

export interface ShownOutcome extends Outcome {
  /** The probes that were reached and the values compared; null if the run does not count. */
  seen: ReturnType<Coverage['take']> | null
}

export type Load = (
  scope: object,
  module: object,
  require: (name: string) => unknown,
  probes: Probes
) => Record<string, any>
