import type { PlainShape } from './shape.js'

export interface Plan {
  /** Functions and classes, in the order in which they run. */
  targets: PlannedTarget[]
  free: Record<string, PlainShape>
  modules: Record<string, PlainShape>
  /** Literals of the code. */
  mined: { numbers: number[]; texts: string[] }
}

export interface PlannedTarget {
  /** Where it is found once the module has run. */
  access: string
  params: PlainShape[]
  /** Of a class: its public methods. */
  methods?: Array<{ name: string; params: PlainShape[] }>
}

/** What one call did, as text, so that two of them can be compared. */
export interface Outcome {
  end: string
  /** It fell over its input: nobody says what should happen then. */
  isCrash: boolean
  /** It ran out of stack or memory: where that happens is a matter of the machine. */
  isLimit: boolean
  args: string
  calls: string[]
  awaited: string[]
}
