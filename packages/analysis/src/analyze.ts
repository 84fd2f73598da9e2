import { createEngines } from './engines/index.js'
import { createSource } from './text/source.js'
import { syntaxRule } from './rules/every/syntax.js'
import { analysisTypes, type AnalyzeInput, type FailureHook, type Finding, type Hit, type SyntaxResult } from './types.js'
import type { Language } from './languages.js'

export interface AnalyzeOptions {
  signal?: AbortSignal | undefined
  onFailure?: FailureHook | undefined
}

const ignore: FailureHook = () => {}
const engines = createEngines()

/** Findings of every analyzer that knows the language, each rule once per line, sorted by line, then rule. */
export async function analyze (input: AnalyzeInput, { signal, onFailure = ignore }: AnalyzeOptions = {}): Promise<Finding[]> {
  const wanted = new Set(input.analysisTypes ?? analysisTypes)
  const source = createSource(input.code)
  const hits: Hit[] = []
  let known: SyntaxResult = { ok: 'unknown' }
  for (const engine of engines) {
    signal?.throwIfAborted()
    if (!engine.handles(input.language)) continue
    try {
      const { syntax, hits: found } = await engine.run(source, input.language, wanted, onFailure, known)
      hits.push(...found)
      if (known.ok === 'unknown') known = syntax
      if (syntax.ok === false) hits.push({ rule: syntaxRule, line: syntax.line, message: syntaxSentence(syntax.message) })
    } catch (error) {
      onFailure(engine.name, error)
    }
  }
  signal?.throwIfAborted()
  return toFindings(hits.filter((hit) => wanted.has(hit.rule.analysisType)), source.lines.length)
}

export async function checkSyntax (code: string, language: Language, { onFailure = ignore }: AnalyzeOptions = {}): Promise<SyntaxResult> {
  const source = createSource(code)
  for (const engine of engines) {
    if (!engine.handles(language) || engine.syntax === undefined) continue
    try {
      const result = await engine.syntax(source, language)
      if (result.ok === false) return { ...result, line: Math.min(Math.max(result.line, 1), source.lines.length), message: syntaxSentence(result.message) }
      if (result.ok === true) return result
    } catch (error) {
      onFailure(engine.name, error)
    }
  }
  return { ok: 'unknown' }
}

function syntaxSentence (message: string): string {
  const text = message.trim().split('\n')[0]!.replace(/\.+$/, '')
  return `The code does not parse: ${text.slice(0, 200)}.`
}

function toFindings (hits: readonly Hit[], lineCount: number): Finding[] {
  const byPlace = new Map<string, Finding>()
  for (const { rule, line, message } of hits) {
    const place = Math.min(Math.max(Math.trunc(line) || 1, 1), lineCount)
    const key = `${place}:${rule.id}`
    // A rule that hits a line twice says so once: the first in the text of its messages, so that order does not matter.
    const sentence = message === undefined || message === '' ? rule.sentence : message
    const known = byPlace.get(key)
    if (known !== undefined && known.message <= sentence) continue
    byPlace.set(key, {
      ruleId: rule.id,
      analysisType: rule.analysisType,
      severity: rule.severity,
      type: rule.severity === 'info' ? 'suggestion' : 'warning',
      message: sentence,
      line: place,
      suggestion: rule.suggestion
    })
  }
  return bounded([...byPlace.values()].sort((a, b) => a.line - b.line || (a.ruleId < b.ruleId ? -1 : a.ruleId > b.ruleId ? 1 : 0)))
}

/** One rule that hits a generated file everywhere says nothing new after this many findings; the answer stays readable and small. */
const maxPerRule = 50

function bounded (findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>()
  return findings.filter(({ ruleId }) => {
    const count = (seen.get(ruleId) ?? 0) + 1
    seen.set(ruleId, count)
    return count <= maxPerRule
  })
}
