import type { FunctionRun } from './compare-runs.js'

export interface Unreached {
  unit: string
  what: string
}

/**
 * Functions that only one version has are compared only through their callers. Therefore, what no caller
 * reaches of them counts against each of the callers as well.
 */
export function withCallers(
  unreached: readonly Unreached[],
  indirect: ReadonlySet<string>,
  functions: readonly FunctionRun[]
): Unreached[] {
  const missing = unreached.filter(({ unit }) => indirect.has(unit))
  return [...unreached, ...functions.flatMap(({ unit }) => missing.map(({ what }) => ({ unit, what })))]
}
