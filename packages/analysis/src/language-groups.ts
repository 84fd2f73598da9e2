import type { Language } from '@filewright/contracts'

export { analyzedLanguages } from '@filewright/contracts'

/** PostgreSQL's is the dialect we read; of the others, what they share with it. */
export const sqlLanguages = [
  'sql',
  'mysql',
  'tsql',
  'plsql',
  'bigquery',
  'snowflake'
] as const satisfies readonly Language[]

export const scriptLanguages = [
  'javascript',
  'jsx',
  'typescript',
  'tsx'
] as const satisfies readonly Language[]
/**
 * Of these a rewrite can be shown to do the same: code is run beside the original, and two SQL statements have
 * the same parse tree.
 */
export const provableLanguages = [
  ...scriptLanguages,
  'python',
  ...sqlLanguages
] as const satisfies readonly Language[]
export const typedScriptLanguages = ['typescript', 'tsx'] as const satisfies readonly Language[]

export function isOneOf<const T extends Language>(language: Language, list: readonly T[]): language is T {
  return (list as readonly Language[]).includes(language)
}
