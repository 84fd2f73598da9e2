import { isOneOf, scriptLanguages } from '@filewright/analysis/parsing'
import type { RunCheck, RunCheckInput } from './run-check.js'

export type { FunctionRun, RunCheck, RunCheckInput } from './run-check.js'

/**
 * Runs the changed parts of a rewrite beside the original, with generated inputs, in a sandbox. Null if
 * nothing can be run: another language, code that does not load, code without functions.
 */
export async function runCheck(input: RunCheckInput): Promise<RunCheck | null> {
  if (input.language === 'python') return (await import('./python/run-python.js')).runPython(input)
  if (!isOneOf(input.language, scriptLanguages)) return null
  // Loaded on demand: a sandbox and a compiler are large.
  return await (await import('./run-check.js')).runScripts(input)
}
