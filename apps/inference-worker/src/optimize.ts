import type { Analyzers, DescribedChange } from '@filewright/analysis/pool'
import { canonicalLanguage } from '@filewright/contracts'
import type { OptimizeOutcome, OptimizePayload } from '@filewright/queue'
import { AppError, type Logger } from '@filewright/runtime'
import { improvementsOf } from './improvements.js'
import { rewrite, type Measured } from './rewrite.js'
import { usageOf, type Meter } from './usage.js'

export interface OptimizeDeps {
  analysis: Pick<Analyzers, 'checkSyntax' | 'fix' | 'exportsOf' | 'measure' | 'describeDiff'>
  logger: Pick<Logger, 'warn'>
}

/** Fixes the tools are sure of, then the model's rewrite of them if it proves to be no worse. */
export async function optimize(
  payload: OptimizePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, logger }: OptimizeDeps
): Promise<OptimizeOutcome> {
  const language = canonicalLanguage(payload.language)
  if (language === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
  const measure = async (code: string): Promise<Measured> => ({
    code,
    measured: await analysis.measure(code, language, { signal })
  })

  const syntax = await analysis.checkSyntax(payload.code, language, { signal })
  if (syntax.ok === false) throw new AppError('NOT_OPTIMIZABLE', `line ${syntax.line} does not parse`)
  const submitted = await measure(payload.code)
  const { code: fixedCode, fixes } = await analysis
    .fix({ code: payload.code, language }, { signal })
    .catch((error: unknown) => {
      signal.throwIfAborted()
      logger.warn({ err: error, requestId: payload.requestId }, "optimization without the tools' fixes")
      return { code: payload.code, fixes: [] }
    })
  const fixed = fixes.length === 0 ? submitted : await measure(fixedCode)

  let rewritten: Measured | null = null
  let modelFailure: unknown
  // A rewrite that no parser can vouch for would be refused in any case: the model is not asked.
  if (syntax.ok === true) {
    try {
      rewritten = await rewrite(fixed, language, payload, { analysis, meter, signal })
    } catch (error) {
      signal.throwIfAborted()
      modelFailure = error
      logger.warn({ err: error, requestId: payload.requestId }, 'optimization without the model')
    }
  }

  if (rewritten === null && fixes.length === 0) {
    // Without the model's opinion "nothing to improve" would be a guess; that the code is too long for it is
    // an answer.
    if (
      modelFailure !== undefined &&
      !(modelFailure instanceof AppError && modelFailure.code === 'INVALID_AI_REQUEST')
    ) {
      throw modelFailure
    }
    throw new AppError('NOT_OPTIMIZABLE', 'nothing to improve')
  }
  const { code, measured } = rewritten ?? fixed
  const changes: DescribedChange[] =
    rewritten === null ? fixes : await analysis.describeDiff(payload.code, code, { signal })
  return {
    kind: 'optimize',
    body: {
      optimized_code: code,
      changes: changes.map(({ line, kind, description }) => ({ type: kind, description, line })),
      improvements: improvementsOf(submitted.measured, measured)
    },
    ...usageOf(meter, rewritten === null ? 'static' : fixes.length > 0 ? 'model+static' : 'model')
  }
}
