import type { RuleInfo, Severity } from '../types.js'

type Shared = Pick<RuleInfo, 'languages' | 'analysisType'>
type Head = Shared & Pick<RuleInfo, 'id' | 'severity'>

/** The fields that a rule has of its own. */
export type Own<Rule extends RuleInfo> = Omit<Rule, keyof Head | 'engine'>

export type Makers<Given, Rule> = Readonly<Record<Severity, (name: string, given: Given) => Rule>>

/** A maker for each severity, so that a rule says only what is its own: `bug.error('self-compare', { … })`. */
export function makersOf<Given, Rule>(
  prefix: string,
  shared: Shared,
  make: (head: Head, given: Given, name: string) => Rule
): Makers<Given, Rule> {
  const makerOf = (severity: Severity) => (name: string, given: Given) =>
    make({ id: `${prefix}/${name}`, severity, ...shared }, given, name)
  return { error: makerOf('error'), warning: makerOf('warning'), info: makerOf('info') }
}
