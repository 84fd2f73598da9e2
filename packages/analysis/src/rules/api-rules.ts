import type { Language } from '@filewright/contracts'
import type { ApiRule } from '../flow/apis.js'
import { makersOf, type Own } from './makers.js'

/** Makers of rules about calls that share a language. */
export const apiRulesOf = (prefix: string, languages: readonly Language[]) =>
  makersOf(
    prefix,
    { languages, analysisType: 'security' },
    (head, own: Own<ApiRule>): ApiRule => ({ ...head, engine: 'api', ...own })
  )

/** Cookies that hold no more than a choice of the visitor. */
export const harmlessCookies =
  /lang|locale|theme|csrf|xsrf|consent|timezone|^tz$|dark|pref|flash|banner|layout|sidebar|currency|country/i
