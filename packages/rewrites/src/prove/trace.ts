/** A function that others can call once the code has loaded. */
export interface Entry {
  /** An expression of `lib` or `handlers`; with `before`, what follows the call of that one, such as `.run`. */
  access: string
  /** The call whose result has the function: a constructor, or a function that returns it. */
  before?: Entry
  name: string
  /** The text of the function. */
  source: string
  isHandler: boolean
}

/** The effects of one call. */
export interface Trace {
  /** `isHere`: an expression of the finding made it. */
  calls: Array<{ path: string; args: unknown[]; isHere: boolean }>
  /** `Object.prototype` has a property that the input names. */
  isPolluted: boolean
  /** An expression of the finding added it. */
  isPollutedHere: boolean
  /** Code from the input ran. */
  isInjected: boolean
  /** An expression of the finding was evaluated. */
  isReached: boolean
  /** Texts that the finding's line runs as code. */
  codes: string[]
  /** Patterns that the finding's line has made of texts since the code was loaded. */
  patterns: string[]
  threw: string
  /** Whether the run, or the code as it loaded, depends on what is outside of the code. */
  usesOutside: boolean
  /** Where the engine threw that. */
  stack: string
  /** Whether the engine threw that in an expression of the finding. */
  isThrownHere: boolean
  /** The finding's line was evaluated again and again, without anything outside. */
  isEndless: boolean
  /** A promise that the finding's line drops was rejected. */
  isRejected: boolean
  /** The finding's statement read the element behind the last one of a list. */
  isPastEnd: boolean
}
