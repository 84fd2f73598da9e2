import type { Language } from './languages.js'

/** Languages with analyzers and a parser of our own. */
export const analyzedLanguages = [
  'javascript',
  'jsx',
  'typescript',
  'tsx',
  'python',
  'go',
  'java',
  'rust',
  'sql',
  'shell',
  'css',
  'html'
] as const satisfies readonly Language[]

/** Read by the analyzer of SQL, as far as they share its grammar. */
const dialects = ['mysql', 'tsql', 'plsql', 'bigquery', 'snowflake'] as const satisfies readonly Language[]

/** Elsewhere only the rules for every language apply, such as the one for hard-coded secrets. */
export function hasAnalyzer(language: Language): boolean {
  return ([...analyzedLanguages, ...dialects] as readonly Language[]).includes(language)
}
