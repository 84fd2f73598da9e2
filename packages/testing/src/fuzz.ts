import { testSeed } from './seed.js'

export interface FuzzParameters {
  seed: number
  numRuns: number
  /** Per run: what takes longer hangs. */
  timeout: number
  /** For all of them: a slow machine tries fewer. */
  interruptAfterTimeLimit: number
}

/** fast-check's parameters for a test that ends in time and can be repeated. */
export function fuzzParameters(t: { comment: (text: string) => unknown }, numRuns: number): FuzzParameters {
  return { seed: testSeed(t), numRuns, timeout: 120_000, interruptAfterTimeLimit: 8_000 }
}
