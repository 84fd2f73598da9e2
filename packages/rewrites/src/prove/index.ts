import type { ProveInput, Proofs } from './prove.js'

export type { ProveInput, Proofs } from './prove.js'

/** Tries to reproduce findings in a sandbox. Null if the code cannot be loaded. */
export async function prove(input: ProveInput): Promise<Proofs | null> {
  // Loaded on demand: a sandbox and a compiler are large.
  return await (await import('./prove.js')).proveFindings(input)
}
