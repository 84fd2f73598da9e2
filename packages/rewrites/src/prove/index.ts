import type { Proof } from '@filewright/contracts'
import type { ProveInput } from './prove.js'

export type { ProveInput } from './prove.js'

/** Tries to make findings happen in a sandbox. Null where the code cannot be loaded. */
export async function prove(input: ProveInput): Promise<Array<Proof | null> | null> {
  // Loaded when it is needed: a sandbox and a compiler are large.
  return await (await import('./prove.js')).proveFindings(input)
}
