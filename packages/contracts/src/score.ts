import type { FindingType } from './ai.js'

/** How much one finding of the answer weighs. */
export const typeWeights: Readonly<Record<FindingType, number>> = { warning: 6, suggestion: 1 }

/**
 * Smoothing: findings that weigh this much together halve the score. Dividing by lines instead would punish
 * short snippets and forgive long files.
 */
export const scoreHalfWeight = 40

/**
 * 100 · k / (k + Σ weights), rounded to the nearest whole number: 100 without findings, lower with each one,
 * never below 0. Made from what the answer shows and nothing else, so it can be computed again from the
 * findings.
 */
export function scoreOf(findings: ReadonlyArray<{ type: FindingType }>): number {
  const weight = findings.reduce((sum, finding) => sum + typeWeights[finding.type], 0)
  const score = Math.round((100 * scoreHalfWeight) / (scoreHalfWeight + weight))
  // Rounding must not give a flawless mark to code that has a finding.
  return weight > 0 ? Math.min(score, 99) : score
}
