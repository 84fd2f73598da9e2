import type { Language } from '@filewright/contracts'
import { analyzedLanguages } from '../../language-groups.js'
import type { Source } from '../../text/source.js'
import type { RuleInfo } from '../../types.js'

export const syntaxRule: RuleInfo = {
  id: 'all/syntax-error',
  languages: analyzedLanguages,
  analysisType: 'bugs',
  severity: 'error',
  sentence: 'The code does not parse.',
  suggestion: 'Fix the syntax error first: the other checks need code that parses.'
}

/** `<%= name %>`, `[%NAMES%]`: code that parses only when a generator has filled it in. */
export function isTemplate(code: string): boolean {
  const start = code.indexOf('<%')
  return (start !== -1 && code.indexOf('%>', start) !== -1) || /\[%[A-Z][A-Z_]*%\]/.test(code)
}

/**
 * Whether code may be right although the parser does not take it: SQL of another database, a line with marks of
 * a template language. Browsers repair every page, and skip what they cannot read of a style sheet.
 */
export function mayWork(
  { lines }: Source,
  language: Language,
  { line, message }: { readonly line: number; readonly message: string }
): boolean {
  if (/\{\{.*\}\}|\{%.*%\}/.test(lines[line - 1] ?? '')) return true
  if (language === 'css') return !/closes nothing|is never closed/.test(message)
  return language === 'sql' || language === 'html'
}

export function syntaxSentence(message: string): string {
  const text = message.trim().split('\n')[0]!.replace(/\.+$/, '')
  return `The code does not parse: ${text.slice(0, 200)}.`
}
