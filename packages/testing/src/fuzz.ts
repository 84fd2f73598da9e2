export interface FuzzParameters {
  seed: number
  numRuns: number
  /** Per run: what takes longer hangs. */
  timeout: number
  /** For all of them: a slow machine tries fewer. */
  interruptAfterTimeLimit: number
}

/** Another seed tries other inputs; the same one tries the same. */
const SEED = 'FUZZ_SEED'
const DEFAULT_SEED = 20_261_115

/** fast-check's parameters for a test that ends in time and can be repeated: the seed is in its output. */
export function fuzzParameters (t: { comment: (text: string) => unknown }, numRuns: number): FuzzParameters {
  const seed = Number(process.env[SEED] ?? DEFAULT_SEED)
  t.comment(`${SEED}=${seed}`)
  return { seed, numRuns, timeout: 120_000, interruptAfterTimeLimit: 8_000 }
}
