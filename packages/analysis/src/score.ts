import type { Finding, Severity } from './types.js'

/** How much one finding weighs. */
export const severityWeights: Readonly<Record<Severity, number>> = { error: 10, warning: 4, info: 1 }

/**
 * Smoothing: findings that weigh this much together halve the score. Dividing by lines instead would punish short snippets and
 * forgive long files.
 */
export const scoreHalfWeight = 40

/** 100 · k / (k + Σ weights), rounded to the nearest whole number: 100 without findings, lower with each one, never below 0. */
export function scoreOf (findings: readonly Pick<Finding, 'severity'>[]): number {
  const weight = findings.reduce((sum, finding) => sum + severityWeights[finding.severity], 0)
  const score = Math.round(100 * scoreHalfWeight / (scoreHalfWeight + weight))
  // Rounding must not give a flawless mark to code that has a finding.
  return weight > 0 ? Math.min(score, 99) : score
}
