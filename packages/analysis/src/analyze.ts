import { enginesFor } from './registry/engines.js'
import { isOneOf, scriptLanguages } from './language-groups.js'
import { breakLinesAsScript, createSource, submittedLines, type Source } from './text/source.js'
import { severityOf } from './certainty/level.js'
import { placeFinder } from './certainty/place.js'
import { isTrusted } from './certainty/test-code.js'
import { mayWork, isTemplate, syntaxRule, syntaxSentence } from './rules/every/syntax.js'
import {
  suppressionOfUnknownRule,
  suppressionWithoutReason,
  unusedSuppression
} from './rules/every/suppressions.js'
import { analyzerFailed } from './rules/every/unread.js'
import { misuses, suppress, suppressionsIn, type Misuse, type Suppression } from './suppressions.js'
import {
  isSkipped,
  analysisTypes,
  severities,
  type AnalyzeInput,
  type FailureHook,
  type Finding,
  type Hit,
  type RuleInfo,
  type Severity,
  type SyntaxResult
} from './types.js'
import type { Language } from '@filewright/contracts'

export interface AnalyzeOptions {
  signal?: AbortSignal | undefined
  onFailure?: FailureHook | undefined
  /** Default: all that know the language. */
  engines?: typeof enginesFor
}

const ignore: FailureHook = () => {}

function sourceIn(language: Language, code: string): Source {
  return createSource(isOneOf(language, scriptLanguages) ? breakLinesAsScript(code) : code)
}

/**
 * Findings of every analyzer that knows the language, sorted by line, then rule, then words. Findings that repeat
 * are summed up.
 */
export async function analyze(input: AnalyzeInput, options: AnalyzeOptions = {}): Promise<Finding[]> {
  return (await analyzeAll(input, options)).filter(({ suppression }) => suppression === undefined)
}

/** The same, and the findings that a comment in the code suppresses: each has the reason. */
export async function analyzeAll(input: AnalyzeInput, options: AnalyzeOptions = {}): Promise<Finding[]> {
  const found = await findEvery(input, options)
  const suppressions = suppressionsIn(input)
  if (suppressions.length === 0) return bounded(counted(found))
  const all = suppress(found, suppressions)
  const open = all.filter(({ suppression }) => suppression === undefined)
  const suppressed = all.filter(({ suppression }) => suppression !== undefined)
  const wrong = await wrongSuppressions(found, suppressions, input)
  return [...bounded(counted([...open, ...wrong].sort(inOrder))), ...bounded(suppressed)]
}

const rulesOfMisuse: Record<Misuse, RuleInfo> = {
  'no-reason': suppressionWithoutReason,
  'unknown-rule': suppressionOfUnknownRule,
  unused: unusedSuppression
}

async function wrongSuppressions(
  found: readonly Finding[],
  suppressions: readonly Suppression[],
  { analysisTypes: wanted = analysisTypes }: AnalyzeInput
): Promise<Finding[]> {
  if (!wanted.includes(suppressionWithoutReason.analysisType)) return []
  // The list loads every parser, and few files suppress anything.
  const { rules } = await import('./registry/rules.js')
  const types = new Map(rules.map(({ id, analysisType }) => [id, analysisType]))
  const isIncomplete = found.some(({ ruleId }) => ruleId === analyzerFailed.id || ruleId === syntaxRule.id)
  const wrong = misuses(
    found,
    suppressions,
    (rule) => types.has(rule),
    (rule) => !isIncomplete && wanted.some((type) => type === types.get(rule))
  )
  return wrong.map(({ line, misuse }) => {
    const { id, analysisType, severity, sentence, suggestion } = rulesOfMisuse[misuse]
    const type = severity === 'info' ? 'suggestion' : 'warning'
    return { ruleId: id, analysisType, severity, type, message: sentence, line, suggestion }
  })
}

/** The findings one by one, however many there are. */
export async function findEvery(
  input: AnalyzeInput,
  { signal, onFailure = ignore, engines = enginesFor }: AnalyzeOptions = {}
): Promise<Finding[]> {
  const wanted = new Set(input.analysisTypes ?? analysisTypes)
  const source = sourceIn(input.language, input.code)
  const hits: Hit[] = []
  // Findings are missing whichever part failed: an engine, one of its rules, or the data flow.
  const reportFailure: FailureHook = (where, error) => {
    hits.push({ rule: analyzerFailed, line: 1 })
    onFailure(where, error)
  }
  let known: SyntaxResult = { ok: 'unknown' }
  for (const engine of await engines(input.language)) {
    signal?.throwIfAborted()
    try {
      const { syntax, hits: found } = await engine.run(source, input.language, wanted, reportFailure, known)
      hits.push(...found)
      if (known.ok === 'unknown') known = syntax
      if (isSkipped(syntax)) hits.push({ rule: analyzerFailed, line: 1 })
      if (syntax.ok === false) {
        hits.push({
          rule: syntaxRule,
          line: syntax.line,
          message: syntaxSentence(syntax.message),
          isDoubtful: isTemplate(input.code),
          isLikely: mayWork(source, input.language, syntax)
        })
      }
    } catch (error) {
      reportFailure(engine.name, error)
    }
  }
  signal?.throwIfAborted()
  const asSubmitted = submittedLines(input.code, source)
  const placeAt = placeFinder(source, input.language, input.path)
  // Of two elements with the same id a template may render one only.
  const isFilledIn = input.language === 'html' && /\{[%{]|<[%?]/.test(source.text)
  const isLikely = ({ rule }: Hit): boolean =>
    rule.analysisType === 'security'
      ? rule.id.endsWith('/tls-check-disabled') && isTrusted(source.text)
      : isFilledIn
  return toFindings(
    withoutWeaker(withoutRestyling(hits))
      .filter(({ rule }) => rule === analyzerFailed || wanted.has(rule.analysisType))
      .map((hit) => ({
        ...hit,
        line: asSubmitted(hit.line),
        flow: hit.flow?.map(asSubmitted) ?? [],
        severity: severityOf(
          { ...hit, isLikely: hit.isLikely === true || isLikely(hit) },
          placeAt(hit.line),
          input.language
        )
      })),
    asSubmitted(source.lineCount)
  )
}

export async function checkSyntax(
  code: string,
  language: Language,
  { onFailure = ignore }: AnalyzeOptions = {}
): Promise<SyntaxResult> {
  const source = sourceIn(language, code)
  const asSubmitted = submittedLines(code, source)
  for (const engine of await enginesFor(language)) {
    if (engine.syntax === undefined) continue
    try {
      const result = await engine.syntax(source, language)
      if (result.ok === false) {
        return {
          ...result,
          line: asSubmitted(Math.min(Math.max(result.line, 1), source.lineCount)),
          message: syntaxSentence(result.message)
        }
      }
      if (result.ok === true) return result
    } catch (error) {
      onFailure(engine.name, error)
    }
  }
  return { ok: 'unknown' }
}

const injection =
  /\/(?:sql|shell|lookup)-injection$|\/(?:unescaped-markup|code-from-input|template-from-input)$/
/** Remarks that offer another way to put the same string together. */
const restyling = /^(?:js\/(?:prefer-template|no-useless-concat)|py\/(?:f-string|printf-string-formatting))$/

/** Where a string must not be put together at all, nobody should be shown a shorter way to do it. */
function withoutRestyling(hits: readonly Hit[]): Hit[] {
  const lines = new Set(hits.filter(({ rule }) => injection.test(rule.id)).map(({ line }) => line))
  return hits.filter(({ rule, line }) => !lines.has(line) || !restyling.test(rule.id))
}

/** Rules about a call alone, whose argument may come from anywhere. */
const callAlone = /^py\/(?:unsafe-deserialization|suspicious-(?:pickle|marshal)-usage)$/

/** Where the data flow proves that a request's value is deserialized, a finding about the call alone says less. */
function withoutWeaker(hits: readonly Hit[]): Hit[] {
  const lines = new Set(
    hits
      .filter(({ rule, isLikely = false }) => rule.id === 'py/deserialize-input' && !isLikely)
      .map(({ line }) => line)
  )
  return hits.filter(({ rule, line }) => !lines.has(line) || !callAlone.test(rule.id))
}

function toFindings(
  hits: readonly (Hit & { severity: Severity; flow: number[] })[],
  lineCount: number
): Finding[] {
  const byPlace = new Map<string, Finding>()
  for (const { rule, line, message, severity, flow } of hits) {
    const place = Math.min(Math.max(Math.trunc(line) || 1, 1), lineCount)
    const sentence = message === undefined || message === '' ? rule.sentence : message
    // A rule that says the same of a line twice says nothing new; two names on it are two findings.
    const key = `${place}:${rule.id}:${sentence}`
    // What is certain of a line stands before what is doubtful.
    const known = byPlace.get(key)
    const way = flow.length > 1 ? flow : known?.flow
    if (known !== undefined && severities.indexOf(known.severity) <= severities.indexOf(severity)) {
      if (way !== undefined) known.flow ??= way
      continue
    }
    byPlace.set(key, {
      ruleId: rule.id,
      analysisType: rule.analysisType,
      severity,
      type: severity === 'info' ? 'suggestion' : 'warning',
      message: sentence,
      line: place,
      suggestion: rule.suggestion,
      ...(way === undefined ? {} : { flow: way })
    })
  }
  return [...byPlace.values()].sort(inOrder)
}

function inOrder(a: Finding, b: Finding): number {
  return a.line - b.line || compare(a.ruleId, b.ruleId) || compare(a.message, b.message)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A remark made this often is a habit of the whole file: one finding says so. */
const maxRemarks = 10

/** Suggestions of one rule that repeat become the first one, with their number; holes are told one by one. */
function counted(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>()
  for (const { ruleId, severity } of findings) {
    if (severity === 'info') counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1)
  }
  const seen = new Set<string>()
  return findings.flatMap((finding) => {
    const count = counts.get(finding.ruleId) ?? 0
    const isRemark = finding.severity === 'info' && finding.analysisType !== 'security'
    if (!isRemark || count <= maxRemarks) return [finding]
    if (seen.has(finding.ruleId)) return []
    seen.add(finding.ruleId)
    return [{ ...finding, message: `${finding.message} There are ${count} such places.` }]
  })
}

/**
 * One rule that hits a generated file everywhere says nothing new after this many findings; the answer stays
 * readable and small.
 */
const maxPerRule = 50

function bounded(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>()
  return findings.filter(({ ruleId }) => {
    const count = (seen.get(ruleId) ?? 0) + 1
    seen.set(ruleId, count)
    return count <= maxPerRule
  })
}
