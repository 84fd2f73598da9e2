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
  const text = lines[line - 1] ?? ''
  if (/\{\{.*\}\}|\{%.*%\}/.test(text)) return true
  if (language === 'javascript' || language === 'jsx') return isTyped(text, message)
  // The shell takes what follows up to the end as part of it, and warns.
  if (language === 'shell' && /here-document/.test(message)) return true
  if (language === 'css') return !/closes nothing|is never closed/.test(message)
  return language === 'sql' || language === 'html'
}

/** Flow or TypeScript under the name of JavaScript: the parser stops at the first type. */
const typed =
  /^\s*(?:import|export)\s+type\b|^\s*(?:export\s+)?(?:declare|interface|type|enum|opaque|namespace|abstract class)\s+\w|\w\s*<[\w\s,.=]+>\s*\(|^\s*(?:private|public|protected|readonly)\s/
const isTyped = (line: string, message: string): boolean =>
  /Unexpected token :/.test(message) ? /[\w)\]}]\s*\??:\s*\S/.test(line) : typed.test(line)

export function syntaxSentence(message: string): string {
  const text = message.trim().split('\n')[0]!.replace(/\.+$/, '')
  return `The code does not parse: ${text.slice(0, 200)}.`
}
