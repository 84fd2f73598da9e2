/** The kind of inputs of a run. Most are `usual`. */
export type Mode = 'usual' | 'wild' | 'deep' | 'long'

/** State that the generators of a run's inputs share. */
export interface InputState {
  mode: Mode
  isSmall: boolean
  isTiny: boolean
  /** Holes of arrays hold `undefined`. */
  isFilled: boolean
  /** Of long arrays and strings. */
  longLength: number
  /** Strings and numbers that this run has made so far. */
  seen: any[]
  /** How many values this run has made so far. */
  made: number
  /** How many arrays of this run have a hole. */
  holes: number
  /** What callbacks of this run return if nothing describes it: plain values, or null for a stand-in. */
  answer: 'number' | 'string' | null
  /** The length of arrays that are rows of a matrix. */
  rows: { depth: number; length: number } | null
}
