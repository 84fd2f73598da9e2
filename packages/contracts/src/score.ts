import type { FindingType } from './ai.js'

/** The weight of one finding in the response. */
export const typeWeights: Readonly<Record<FindingType, number>> = { warning: 6, suggestion: 1 }

/**
 * Smoothing: findings that weigh this much together halve the score. Dividing by lines instead would punish
 * short snippets and forgive long files.
 */
export const scoreHalfWeight = 40

/**
 * 100 · k / (k + Σ weights), rounded to the nearest whole number: 100 without findings, lower with each one,
 * never below 0. Depends only on the findings in the response, so anyone can recompute it.
 */
export function scoreOf(findings: ReadonlyArray<{ type: FindingType }>): number {
  const weight = findings.reduce((sum, finding) => sum + typeWeights[finding.type], 0)
  const score = Math.round((100 * scoreHalfWeight) / (scoreHalfWeight + weight))
  // Rounding must not give 100 to code that has a finding.
  return weight > 0 ? Math.min(score, 99) : score
}
