import { isOneOf, scriptLanguages } from '@filewright/analysis/parsing'
import type { RunCheck, RunCheckInput } from './run-check.js'

export type { FunctionRun, RunCheck, RunCheckInput } from './run-check.js'

/**
 * Runs what a rewrite changes beside the original on generated inputs, in a sandbox. Null where nothing can
 * be run: other languages, code that does not load, code without functions.
 */
export async function runCheck(input: RunCheckInput): Promise<RunCheck | null> {
  if (input.language === 'python') return (await import('./python/run-python.js')).runPython(input)
  if (!isOneOf(input.language, scriptLanguages)) return null
  // Loaded when it is needed: a sandbox and a compiler are large.
  return await (await import('./run-check.js')).runScripts(input)
}
