import type { RuleInfo, Severity } from '../types.js'

/** The fields of a rule that its maker does not know. */
export type Own<Rule extends RuleInfo> = Omit<
  Rule,
  'id' | 'engine' | 'languages' | 'analysisType' | 'severity'
>

export type Makers<Given, Made> = Readonly<Record<Severity, (id: string, given: Given) => Made>>

/** A maker for each severity, so that a rule says only what is its own: `bug.error('self-compare', { … })`. */
export function makersOf<Given, Made>(
  make: (id: string, severity: Severity, given: Given) => Made
): Makers<Given, Made> {
  const makerOf = (severity: Severity) => (id: string, given: Given) => make(id, severity, given)
  return { error: makerOf('error'), warning: makerOf('warning'), info: makerOf('info') }
}
