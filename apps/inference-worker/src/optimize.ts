import { canonicalLanguage, compareExports, type AnalysisPool, type DescribedChange, type Language } from '@filewright/analysis'
import { extractCode, optimizePrompt } from '@filewright/llm'
import type { OptimizeOutcome, OptimizePayload } from '@filewright/queue'
import { AppError, type Logger } from '@filewright/runtime'
import { improvementsOf } from './improvements.js'
import { usageOf, type Meter } from './usage.js'

export interface OptimizeDeps {
  analysis: Pick<AnalysisPool, 'checkSyntax' | 'fix' | 'exportsOf' | 'measure' | 'describeDiff'>
  logger: Pick<Logger, 'warn'>
}

interface Version {
  code: string
  changes: DescribedChange[]
}

/** Fixes the tools are sure of, then the model's rewrite of them if it proves to be no worse. */
export async function optimize (payload: OptimizePayload, meter: Meter, signal: AbortSignal, { analysis, logger }: OptimizeDeps): Promise<OptimizeOutcome> {
  const language = canonicalLanguage(payload.language)
  if (language === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
  const syntax = await analysis.checkSyntax(payload.code, language, { signal })
  if (syntax.ok === false) throw new AppError('NOT_OPTIMIZABLE', `line ${syntax.line} does not parse`)

  const before = await analysis.measure(payload.code, language, { signal })
  const fixed = await analysis.fix({ code: payload.code, language }, { signal })
  const tools: Version = {
    code: fixed.code,
    changes: fixed.fixes.map(({ line, kind, description }) => ({ line, kind, description }))
  }

  let rewritten: Version | null = null
  let modelFailure: unknown
  try {
    rewritten = await rewrite(tools.code)
  } catch (error) {
    signal.throwIfAborted()
    modelFailure = error
    logger.warn({ err: error, requestId: payload.requestId }, 'optimization without the model')
  }

  const best = rewritten ?? (tools.changes.length > 0 ? tools : null)
  if (best === null) {
    // Without the model's opinion "nothing to improve" would be a guess.
    if (modelFailure !== undefined) throw modelFailure
    throw new AppError('NOT_OPTIMIZABLE', 'nothing to improve')
  }
  const after = await analysis.measure(best.code, language, { signal })
  return {
    kind: 'optimize',
    body: {
      optimized_code: best.code,
      changes: best.changes.map(({ line, kind, description }) => ({ type: kind, description, line })),
      improvements: improvementsOf(before, after)
    },
    ...usageOf(meter, rewritten === null ? 'static' : tools.changes.length > 0 ? 'model+static' : 'model')
  }

  /** Null when the model left the code as it was, or made it worse. */
  async function rewrite (base: string): Promise<Version | null> {
    const { framework, optimizationType: type } = payload
    const prompt = optimizePrompt({ code: base, language: payload.language, framework, type, findings: before.findings })
    const { text, finish } = await meter.chat({ model: payload.model, ...prompt }, signal)
    if (finish === 'length') return null
    const code = extractCode(text, payload.language)
    if (sameText(code, base) || !await isNoWorse(base, code, language!)) return null
    return { code, changes: await analysis.describeDiff(payload.code, code, { signal }) }
  }

  async function isNoWorse (base: string, code: string, language: Language): Promise<boolean> {
    // Only what a parser of ours vouches for may replace somebody's code.
    if (code.trim() === '' || (await analysis.checkSyntax(code, language, { signal })).ok !== true) return false
    const [exportsBefore, exportsAfter] = await Promise.all([analysis.exportsOf(base, language, { signal }), analysis.exportsOf(code, language, { signal })])
    if (exportsBefore !== null && (exportsAfter === null || !compareExports(exportsBefore, exportsAfter).kept)) return false
    const [old, now] = await Promise.all([analysis.measure(base, language, { signal }), analysis.measure(code, language, { signal })])
    return now.findings.every(({ ruleId }) => countOf(now.findings, ruleId) <= countOf(old.findings, ruleId))
  }
}

const countOf = (findings: ReadonlyArray<{ ruleId: string }>, rule: string): number => findings.filter(({ ruleId }) => ruleId === rule).length

/** Line ends and trailing space are not a change worth a word. */
function sameText (a: string, b: string): boolean {
  const plain = (text: string): string => text.replace(/[ \t]*\r?\n/g, '\n').trim()
  return plain(a) === plain(b)
}
