import type { Analyzers } from './analysis-pool/pool.js'
import {
  analyzedLanguages,
  suggestionsOf,
  suppress,
  suppressionsIn,
  type Finding
} from '@filewright/analysis/results'
import {
  canonicalLanguage,
  hasAnalyzer,
  scoreOf,
  type Language,
  type SarifLevel
} from '@filewright/contracts'
import {
  analyzePrompt,
  newFindings,
  parseModelFindings,
  repeatsInstructions,
  type ModelFinding
} from '@filewright/llm'
import type { AnalyzeOutcome, AnalyzePayload } from '@filewright/queue'
import { AppError, isAppError, type Logger } from '@filewright/runtime'
import { confirmWarnings } from './confirm-warnings.js'
import { findInParts, type CodeSlice } from './find-in-parts.js'
import { proveFindings } from './prove-findings.js'
import { usageOf, type Meter } from './usage.js'

export interface AnalyzeDeps {
  analysis: Pick<Analyzers, 'analyze' | 'prove'>
  logger: Pick<Logger, 'warn'>
  /** For one response, over all its calls. */
  answerMs: number
}

type Source = Pick<AnalyzePayload, 'code' | 'framework' | 'path' | 'analysisTypes' | 'model'> & {
  language: Language
}

/** The analyzers' findings, which are reproducible, then the model's findings that quote an existing line. */
export async function analyze(
  payload: AnalyzePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, logger, answerMs }: AnalyzeDeps
): Promise<AnalyzeOutcome> {
  const language = canonicalLanguage(payload.language)
  if (language === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
  const source: Source = { ...payload, language }
  // An analysis that ran out of time is not a result: on an idle machine it would be longer.
  const analyzed = await analysis.analyze(source, { signal })
  const isOpen = ({ suppression }: Finding): boolean => suppression === undefined

  let extra: Finding[] | undefined
  try {
    if (payload.analyzersOnly !== true) {
      // The prompt lists suppressed findings, too. Otherwise the model reports them again in other words.
      const added = (await askModel(source, analyzed, answerMs, meter, signal)).map(toFinding)
      extra = suppress(added, suppressionsIn(source))
    }
  } catch (error) {
    signal.throwIfAborted()
    // The model is down, slow or returned nonsense: the analyzers' result is returned alone.
    logger.warn({ err: error, requestId: payload.requestId }, 'analysis without the model')
  }
  const found = [...analyzed, ...(extra ?? [])]
  const judged = suppress(await prove(found), suppressionsIn(source))
  const findings = judged.filter(isOpen).sort(byLineWorstFirst)
  const suppressed = judged.filter((finding) => !isOpen(finding)).sort(byLineWorstFirst)
  return {
    kind: 'analyze',
    body: {
      analysis: findings.map(({ type, message, line }) => ({ type, message, line })),
      score: scoreOf(findings),
      suggestions: [
        // Otherwise a score of 100 would look like praise although nothing was analyzed.
        ...(hasAnalyzer(language) || (extra !== undefined && !meter.isSandbox()) ? [] : [unread(language)]),
        // A model may report a problem without a fix.
        ...suggestionsOf(findings.filter(({ suggestion }) => suggestion !== ''))
      ]
    },
    rules: findings.map(ruleOf),
    ...(suppressed.length === 0
      ? {}
      : {
          suppressed: suppressed.map((finding) => {
            const { type, message, line, suppression = '' } = finding
            return { type, message, line, ...ruleOf(finding), reason: suppression }
          })
        }),
    ...usageOf(meter, extra === undefined ? 'static' : 'model+static')
  }

  async function prove(all: Finding[]): Promise<Finding[]> {
    try {
      return await proveFindings(all, source, analysis, signal)
    } catch (error) {
      signal.throwIfAborted()
      // As above: on an idle machine it would be proven.
      if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
      logger.warn({ err: error, requestId: payload.requestId }, 'analysis without proofs')
      return all
    }
  }
}

const levels: Record<Finding['severity'], SarifLevel> = { error: 'error', warning: 'warning', info: 'note' }

function ruleOf({ ruleId, suggestion, severity, analysisType, proof, flow }: Finding) {
  return {
    id: ruleId,
    help: suggestion,
    level: levels[severity],
    category: analysisType,
    ...(proof === undefined ? {} : { proof }),
    ...(flow === undefined ? {} : { flow })
  }
}

const unread = (language: Language): string =>
  `There is no analyzer for ${language}: only the rules for every language were applied, such as the one for hard-coded secrets.`

function byLineWorstFirst(a: Finding, b: Finding): number {
  return a.line - b.line || Number(a.type === 'suggestion') - Number(b.type === 'suggestion')
}

function toFinding({ line, category, type, message, suggestion }: ModelFinding): Finding {
  return {
    ruleId: `model/${category}`,
    analysisType: category,
    severity: type === 'warning' ? 'warning' : 'info',
    type,
    message,
    line,
    suggestion
  }
}

/**
 * The model's additional findings. The model is asked to confirm its warnings; the others become suggestions.
 */
async function askModel(
  source: Source,
  known: readonly Finding[],
  answerMs: number,
  meter: Meter,
  signal: AbortSignal
): Promise<ModelFinding[]> {
  const { code } = source
  const startedAt = Date.now()
  const restMs = (): number => answerMs - (Date.now() - startedAt)
  const found = await findInParts({ code, offset: 0 }, async (part) => await ask(part), restMs)
  const fresh = newFindings(found, known, code)
  const tookMs = Date.now() - startedAt
  return await confirmWarnings(fresh, source, { meter, signal, tookMs, restMs: restMs() })

  async function ask({ code: text, offset }: CodeSlice): Promise<ModelFinding[]> {
    const { language, framework, analysisTypes, model } = source
    const count = text.split('\n').length
    const own = known
      .map((finding) => ({ ...finding, line: finding.line - offset }))
      .filter(({ line }) => line >= 1 && line <= count)
    const prompt = analyzePrompt({ code: text, language, framework, types: analysisTypes, known: own })
    const answer = await meter.chat({ model, ...prompt }, signal)
    const toolsDecide = (analyzedLanguages as readonly Language[]).includes(language)
    const { findings, usable } = parseModelFindings(answer.text, text, { types: analysisTypes, toolsDecide })
    if (!usable) throw new AppError('MODEL_OUTPUT_INVALID', 'the model answered with no list of findings')
    return findings
      .filter(({ message, suggestion }) => !repeatsInstructions(`${message} ${suggestion}`, prompt))
      .map((finding) => ({ ...finding, line: finding.line + offset }))
  }
}
