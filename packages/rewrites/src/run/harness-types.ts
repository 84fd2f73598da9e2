import type { createArguments } from './arguments.js'
import type { createChange } from './change-result.js'
import type { Probes } from './code-realm.js'
import type { createCodeTexts } from './code-texts.js'
import type { createContainers } from './containers.js'
import type { createCopies } from './copies.js'
import type { createCoverage } from './coverage.js'
import type { createFreeNames } from './free-names.js'
import type { createInputs } from './inputs.js'
import type { createLook } from './look.js'
import type { createModuleView } from './module-view.js'
import type { createMutations } from './mutations.js'
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
  /** Changes the inputs of the next run by these steps, as JSON. */
  mutate: (steps: string) => void
  /** Makes the arguments of a run: 0 for usual ones, 1 for wild ones, 2 for long ones, 3 for nested ones. */
  prepare: (target: number, run: number, kind: number, isTiny: number, isFilled: number) => void
  call: () => void
  /** Changes the result and calls once more with equal arguments; false where there is nothing to change. */
  again: () => boolean
  /** Lets the next timer come; false when there is none. */
  tick: () => boolean
  outcome: () => string
  /**
   * Numbers of the probes that this run reached and few before it, and what the code compared in it, as JSON.
   */
  reached: () => string
}

export type Load = (
  scope: object,
  module: object,
  require: (name: string) => unknown,
  probes: Probes
) => Record<string, any>
