import { testSeed } from './seed.js'

export interface FuzzParameters {
  seed: number
  numRuns: number
  /** Per run: a run that takes longer hangs. */
  timeout: number
}

/**
 * fast-check's parameters for a repeatable test. The number of runs does not depend on the machine's speed.
 */
export function fuzzParameters(t: { comment: (text: string) => unknown }, numRuns: number): FuzzParameters {
  return { seed: testSeed(t), numRuns, timeout: 120_000 }
}
