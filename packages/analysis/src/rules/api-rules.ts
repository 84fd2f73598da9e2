import type { Language } from '@filewright/contracts'
import type { ApiRule } from '../flow/apis.js'
import { makersOf, type Own } from './makers.js'

/** Makers of rules about calls that share a language. */
export const apiRulesOf = (prefix: string, languages: readonly Language[]) =>
  makersOf(
    (id, severity, own: Own<ApiRule>): ApiRule => ({
      id: `${prefix}/${id}`,
      engine: 'api',
      languages,
      analysisType: 'security',
      severity,
      ...own
    })
  )

/** Cookies that hold no more than a choice of the visitor. */
export const harmlessCookies =
  /lang|locale|theme|csrf|xsrf|consent|timezone|^tz$|dark|pref|flash|banner|layout|sidebar|currency|country/i
