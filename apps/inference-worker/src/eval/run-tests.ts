import type { Analyzers } from '../analysis-pool/pool.js'
import type { Language } from '@filewright/contracts'

/** A call and its expected value, both as source of an expression. */
export type CodeTest = readonly [call: string, expected: string]

export interface TestedCode {
  code: string
  language: Language
  tests: readonly CodeTest[]
}

const withResults = (code: string, results: readonly string[]): string =>
  `${code}\nfunction resultsOfTests () { return [${results.join(', ')}] }\n`

/**
 * Runs the calls beside the generated code, in the sandbox of the run check: one version of the code returns
 * the results of the calls, the other the expected values.
 */
export async function passesTests(
  { code, language, tests }: TestedCode,
  analysis: Pick<Analyzers, 'runCheck'>
): Promise<boolean> {
  const run = await analysis.runCheck({
    before: withResults(
      code,
      tests.map(([, expected]) => expected)
    ),
    after: withResults(
      code,
      tests.map(([call]) => call)
    ),
    language
  })
  const results = run?.functions.filter(({ unit }) => unit === 'resultsOfTests') ?? []
  return results.length === 1 && results[0]?.isSame === true
}
