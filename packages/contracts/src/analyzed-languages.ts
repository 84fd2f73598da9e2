import type { Language } from './languages.js'

/** Languages with our own analyzers and parser. */
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

/** Handled by the SQL analyzer, as far as they share its grammar. */
const dialects = ['mysql', 'tsql', 'plsql', 'bigquery', 'snowflake'] as const satisfies readonly Language[]

/** In other languages only the general rules apply, such as the one for hard-coded secrets. */
export function hasAnalyzer(language: Language): boolean {
  return ([...analyzedLanguages, ...dialects] as readonly Language[]).includes(language)
}
