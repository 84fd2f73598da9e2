import type { Language } from '@filewright/contracts'
import type { ApiRule, ApiUse } from '../flow/apis.js'
import type { AnalysisType, RuleInfo, Severity } from '../types.js'

/** A maker of rules about calls that share a language. */
export function apiRulesOf(
  prefix: string,
  languages: readonly Language[],
  analysisType: AnalysisType = 'security'
) {
  return (
    id: string,
    severity: Severity,
    { sentence, suggestion }: Pick<RuleInfo, 'sentence' | 'suggestion'>,
    uses: readonly ApiUse[],
    rest: Pick<ApiRule, 'onlyIn'> = {}
  ): ApiRule => ({
    id: `${prefix}/${id}`,
    engine: 'api',
    languages,
    analysisType,
    severity,
    sentence,
    suggestion,
    uses,
    ...rest
  })
}

/** Cookies that hold no more than a choice of the visitor. */
export const harmlessCookies =
  /lang|locale|theme|csrf|xsrf|consent|timezone|^tz$|dark|pref|flash|banner|layout|sidebar|currency|country/i
