import type { Analyzers } from './analysis-pool/pool.js'
import type { DescribedChange } from '@filewright/analysis/results'
import { canonicalLanguage, type Language } from '@filewright/contracts'
import type { OptimizeOutcome, OptimizePayload } from '@filewright/queue'
import { AppError, isAppError, type Logger } from '@filewright/runtime'
import { improvementsOf } from './improvements.js'
import { notOptimizable, reasonNotOptimizable } from './not-optimizable.js'
import { rewrite, type NoRewrite, type Rewritten } from './rewrite.js'
import type { Measured } from './rewrite-parts.js'
import { createRunWork, prove, takeFixes, type Proof, type ProofDeps } from './take-verified-units.js'
import { usageOf, type Meter } from './usage.js'

export interface OptimizeDeps {
  analysis: Omit<Analyzers, 'analyze'>
  logger: Pick<Logger, 'warn'>
  /** Maximum tokens of one response. Default 4,096. */
  outputTokens?: number | undefined
}

/** Fixes that the tools are sure of, then the model's rewrite of the result if it is verified. */
export async function optimize(
  payload: OptimizePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, logger, outputTokens }: OptimizeDeps
): Promise<OptimizeOutcome> {
  const language = canonicalLanguage(payload.language)
  if (language === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
  const measure = async (code: string): Promise<Measured> => ({
    code,
    measured: await analysis.measure(code, language, { signal })
  })

  const proofs: ProofDeps = { analysis, signal, runWork: createRunWork() }
  const nulLine = lineOfNul(payload.code)
  if (nulLine !== null) {
    // The parsers read a NUL byte as a space, so they would judge other code than the client's.
    throw notOptimizable(
      'syntax-error',
      `line ${nulLine} contains a NUL byte: use an escape sequence instead`
    )
  }
  const syntax = await analysis.checkSyntax(payload.code, language, { signal })
  if (syntax.ok === false) throw notOptimizable('syntax-error', `line ${syntax.line} does not parse`)
  const submitted = await measure(payload.code)
  const {
    code: fixedCode,
    fixes,
    proof,
    heldBack
  } = await fixWithProof(payload, language, proofs, { analysis, logger })
  const fixed = fixes.length === 0 ? submitted : await measure(fixedCode)

  let rewritten: Rewritten | null = null
  let noRewrite: NoRewrite | undefined
  let modelFailure: unknown
  // A rewrite that no parser can verify would be refused anyway, so the model is not called.
  if (syntax.ok === true) {
    try {
      const outcome = await rewrite(fixed, language, payload, { ...proofs, analysis, meter, outputTokens })
      if (typeof outcome === 'string') noRewrite = outcome
      else rewritten = outcome
    } catch (error) {
      signal.throwIfAborted()
      modelFailure = error
      logger.warn({ err: error, requestId: payload.requestId }, 'optimization without the model')
    }
  }

  if (rewritten === null && fixes.length === 0) {
    // Without the model, "no safe improvement" would be a guess; "too long for the model" is a definite
    // answer.
    if (
      modelFailure !== undefined &&
      !(modelFailure instanceof AppError && modelFailure.code === 'INVALID_AI_REQUEST')
    ) {
      throw modelFailure
    }
    throw reasonNotOptimizable({
      language,
      hasParser: syntax.ok === true,
      isSandbox: meter.isSandbox(),
      noRewrite,
      heldBack
    })
  }
  const { code, measured } = rewritten ?? fixed
  const changes: DescribedChange[] =
    rewritten === null
      ? fixes
      : await analysis.describeDiff(payload.code, code, { signal, words: rewritten.words, language })
  // Fixes and rewrite were each compared with the code before them; the report compares with the submitted
  // code.
  const proven =
    rewritten === null
      ? proof
      : fixes.length === 0
        ? rewritten.proof
        : await prove(payload.code, code, language, proofs)
  return {
    kind: 'optimize',
    body: {
      optimized_code: code,
      changes: changes.map(({ line, kind, description }) => ({ type: kind, description, line })),
      improvements: improvementsOf(submitted.measured, measured, proven, { language, noRewrite, heldBack })
    },
    ...usageOf(meter, rewritten === null ? 'static' : fixes.length > 0 ? 'model+static' : 'model')
  }
}

function lineOfNul(code: string): number | null {
  const at = code.indexOf('\0')
  return at < 0 ? null : code.slice(0, at).split('\n').length
}

interface Fixed {
  code: string
  fixes: DescribedChange[]
  proof: Proof | null
  heldBack: string | undefined
}

/** The tools' fixes that behave the same where they can be executed. */
async function fixWithProof(
  payload: OptimizePayload,
  language: Language,
  proofs: ProofDeps,
  { analysis, logger }: OptimizeDeps
): Promise<Fixed> {
  const { code: before } = payload
  const { signal } = proofs
  try {
    const {
      code: after,
      fixes,
      base = before,
      heldBack
    } = await analysis.fix({ code: before, language }, { signal })
    if (fixes.length === 0) return { code: before, fixes, proof: null, heldBack }
    const { code, proof } = await takeFixes(base, after, language, proofs)
    if (code === after) return { code, fixes, proof, heldBack }
    return {
      code,
      fixes: code === before ? [] : await analysis.describeDiff(before, code, { signal, hasEveryHunk: true }),
      proof,
      heldBack
    }
  } catch (error) {
    signal.throwIfAborted()
    // A busy machine must not give a different result than an idle one.
    if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
    logger.warn({ err: error, requestId: payload.requestId }, "optimization without the tools' fixes")
    return { code: before, fixes: [], proof: null, heldBack: undefined }
  }
}
