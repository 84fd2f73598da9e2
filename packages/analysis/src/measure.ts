import { analyze } from './analyze.js'
import { createSource } from './text/source.js'
import { maskText } from './text/mask.js'
import { scoreOf, type Language } from '@filewright/contracts'
import type { Finding } from './types.js'

export interface Measurement {
  /** Lines that hold code: neither blank nor comments only. */
  lines: number
  /** Independent paths through the code, over all functions: one, and one for each decision. */
  complexity: number
  findings: Finding[]
  score: number
}

const decisions: Partial<Record<Language, RegExp>> = {
  python: /\b(?:if|elif|for|while|except|and|or|case)\b/g,
  shell: /\b(?:if|elif|for|while|until)\b|&&|\|\||;;/g,
  sql: /\b(?:case|when|and|or|union|exists)\b/gi,
  go: /\b(?:if|for|case)\b|&&|\|\|/g,
  rust: /\b(?:if|for|while|loop)\b|&&|\|\||=>|\?(?=[;.)\s])/g,
  css: /(?!)/g,
  html: /(?!)/g
}
const commonDecisions = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?\?|\?(?![.?:])/g

export function complexityOf(code: string, language: Language): number {
  return 1 + (maskText(code, language).match(decisions[language] ?? commonDecisions)?.length ?? 0)
}

export function linesOfCode(code: string, language: Language): number {
  const masked = maskText(code, language).split('\n')
  const lines = code.split('\n')
  // A line whose text is all string still is code.
  return lines.filter(
    (line, index) => line.trim() !== '' && (masked[index]?.trim() !== '' || /["'`]/.test(line))
  ).length
}

/** What the sentences about an improvement may state: everything here is counted, nothing is judged. */
export async function measure(code: string, language: Language): Promise<Measurement> {
  const { text } = createSource(code)
  const findings = await analyze({ code, language })
  return {
    lines: linesOfCode(text, language),
    complexity: complexityOf(text, language),
    findings,
    score: scoreOf(findings)
  }
}
