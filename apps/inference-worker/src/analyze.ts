import { scoreOf, suggestionsOf, type Analyzers, type Finding } from '@filewright/analysis/pool'
import { canonicalLanguage } from '@filewright/contracts'
import { analyzePrompt, parseModelFindings, repeatsInstructions } from '@filewright/llm'
import type { AnalyzeOutcome, AnalyzePayload } from '@filewright/queue'
import { AppError, type Logger } from '@filewright/runtime'
import { usageOf, type Meter } from './usage.js'

export interface AnalyzeDeps {
  analysis: Pick<Analyzers, 'analyze'>
  logger: Pick<Logger, 'warn'>
}

type Source = Pick<AnalyzePayload, 'code' | 'framework' | 'analysisTypes'> & {
  language: NonNullable<ReturnType<typeof canonicalLanguage>>
}

/**
 * Findings of the analyzers, which are the same each time, then what the model can tie to a line beside them.
 */
export async function analyze(
  payload: AnalyzePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, logger }: AnalyzeDeps
): Promise<AnalyzeOutcome> {
  const language = canonicalLanguage(payload.language)
  if (language === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
  const source: Source = { ...payload, language }
  const found = await analysis.analyze(source, { signal })

  let extra: Finding[] | undefined
  try {
    extra = await askModel(source, payload.model, found, meter, signal)
  } catch (error) {
    signal.throwIfAborted()
    // Down, slow or talking nonsense: the analyzers' answer stands alone.
    logger.warn({ err: error, requestId: payload.requestId }, 'analysis without the model')
  }
  const findings = [...found, ...(extra ?? [])].sort((a, b) => a.line - b.line)
  return {
    kind: 'analyze',
    body: {
      analysis: findings.map(({ type, message, line }) => ({ type, message, line })),
      score: scoreOf(findings),
      // A model may have found something without knowing what to do about it.
      suggestions: suggestionsOf(findings.filter(({ suggestion }) => suggestion !== ''))
    },
    rules: findings.map(({ ruleId, suggestion }) => ({ id: ruleId, help: suggestion })),
    ...usageOf(meter, extra === undefined ? 'static' : 'model+static')
  }
}

async function askModel(
  { code, language, framework, analysisTypes }: Source,
  model: AnalyzePayload['model'],
  known: Finding[],
  meter: Meter,
  signal: AbortSignal
): Promise<Finding[]> {
  const prompt = analyzePrompt({ code, language, framework, types: analysisTypes, known })
  const { text } = await meter.chat({ model, ...prompt }, signal)
  const { findings, usable } = parseModelFindings(text, code, analysisTypes)
  if (!usable) throw new AppError('MODEL_OUTPUT_INVALID', 'the model answered with no list of findings')
  // A tool has said it already, in words that do not change.
  const said = new Set(known.map((finding) => `${finding.line} ${finding.analysisType}`))
  const fresh = findings.filter(
    ({ line, category, message, suggestion }) =>
      !said.has(`${line} ${category}`) && !repeatsInstructions(`${message} ${suggestion}`, prompt)
  )
  return fresh.map(({ line, category, type, message, suggestion }) => ({
    ruleId: 'model',
    analysisType: category,
    severity: type === 'warning' ? 'warning' : 'info',
    type,
    message,
    line,
    suggestion
  }))
}
