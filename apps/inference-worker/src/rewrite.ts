import { isOneOf, provableLanguages, type Measurement } from '@filewright/analysis/results'
import type { Language } from '@filewright/contracts'
import { estimateTokens, optimizePrompt } from '@filewright/llm'
import {
  candidatesIn,
  isTooLong,
  rewriteParts,
  type Goal,
  type Measured,
  type RewriteDeps,
  type Versions
} from './rewrite-parts.js'
import { NOT_RUN, takeVerifiedUnits, type Proof } from './take-verified-units.js'

export interface Rewritten extends Measured {
  proof: Proof | null
  /** The model's text around its code. */
  words: string
}

/**
 * `same`: the model changes nothing. `unsafe`: no part of its rewrite is proven to behave the same.
 * `not-run`: a comparison did not finish, so it proves nothing. `too-long`: neither the code nor a function
 * of it fits. `not-provable`: nothing can be proven in this language, so the model was not called.
 */
export type NoRewrite = 'same' | 'unsafe' | 'not-run' | 'too-long' | 'not-provable'

/** The verified part of the model's rewrite of `base`, function by function. */
export async function rewrite(
  base: Measured,
  language: Language,
  goal: Goal,
  deps: RewriteDeps
): Promise<Rewritten | NoRewrite> {
  if (!isOneOf(language, provableLanguages)) return 'not-provable'
  const { analysis, signal, outputTokens = 4_096 } = deps
  const isLong = estimateTokens(base.code) > outputTokens
  const whole = isLong ? 'does-not-fit' : await rewriteWhole(base, language, goal, deps)
  const { versions, words } =
    typeof whole === 'object'
      ? whole
      : await rewriteParts(base, language, goal, deps, { doesNotFit: whole === 'does-not-fit' })
  if (typeof whole === 'string' && versions.length === 0) return 'too-long'
  let outcome: NoRewrite = 'same'
  for (const version of versions) {
    const taken = await takeVerifiedUnits(base.code, version, language, deps)
    if (taken?.refused.some(({ why }) => why === NOT_RUN) === true) outcome = 'not-run'
    else if (version !== base.code && outcome === 'same') outcome = 'unsafe'
    if (taken === null || taken.code === base.code) continue
    const measured = await analysis.measure(taken.code, language, { signal })
    if (!addsWarning(base.measured, measured)) {
      return { code: taken.code, measured, proof: taken.proof, words }
    }
  }
  return outcome
}

/** `cut`: the response reached its length limit. */
async function rewriteWhole(
  { code, measured: { findings } }: Measured,
  language: Language,
  { model, framework, optimizationType: type }: Goal,
  { meter, signal }: RewriteDeps
): Promise<Versions | 'does-not-fit' | 'cut'> {
  const prompt = optimizePrompt({ code, language, framework, type, findings })
  try {
    const { text, finish } = await meter.chat({ model, ...prompt }, signal)
    return finish === 'length' ? 'cut' : { versions: candidatesIn(text, prompt, language, code), words: text }
  } catch (error) {
    if (isTooLong(error)) return 'does-not-fit'
    throw error
  }
}

function addsWarning(before: Measurement, after: Measurement): boolean {
  const countOf = ({ findings }: Measurement, rule: string): number =>
    findings.filter(({ ruleId }) => ruleId === rule).length
  return after.findings.some(
    ({ type, ruleId }) => type === 'warning' && countOf(after, ruleId) > countOf(before, ruleId)
  )
}
