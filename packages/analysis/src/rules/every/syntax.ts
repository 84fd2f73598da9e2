import type { Language } from '@filewright/contracts'
import { analyzedLanguages } from '../../languages.js'
import type { RuleInfo } from '../../types.js'

export const syntaxRule: RuleInfo = {
  id: 'all/syntax-error',
  languages: analyzedLanguages,
  analysisType: 'bugs',
  severity: 'error',
  sentence: 'The code does not parse.',
  suggestion: 'Correct the syntax error first; other checks need code that parses.'
}

/** `<%= name %>`, `[%NAMES%]`: code that parses only when a generator has filled it in. */
export function isTemplate(code: string): boolean {
  const start = code.indexOf('<%')
  return (start !== -1 && code.indexOf('%>', start) !== -1) || /\[%[A-Z][A-Z_]*%\]/.test(code)
}

/** A piece of a page may close what another file opens; a whole page may not. */
export function isPiece(code: string, language: Language): boolean {
  return language === 'html' && !(/<(?:html|body)\b/i.test(code) && /<\/(?:html|body)>/i.test(code))
}

export function syntaxSentence(message: string): string {
  const text = message.trim().split('\n')[0]!.replace(/\.+$/, '')
  return `The code does not parse: ${text.slice(0, 200)}.`
}
