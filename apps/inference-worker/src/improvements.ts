import type { Measurement } from '@filewright/analysis/results'
import type { Language } from '@filewright/contracts'
import { notAsked } from './not-optimizable.js'
import type { NoRewrite } from './rewrite.js'
import type { Proof } from './take-verified-units.js'

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Reports only measured differences and executed comparisons, so a reader can verify every claim. */
export function improvementsOf(
  before: Measurement,
  after: Measurement,
  proof: Proof | null,
  limits: { language: Language; noRewrite: NoRewrite | undefined; heldBack: string | undefined }
): string[] {
  const sentences: string[] = []
  for (const type of ['security', 'performance', 'bugs', 'style'] as const) {
    const count = (findings: Measurement['findings']): number =>
      findings.filter(({ analysisType }) => analysisType === type).length
    const removed = count(before.findings) - count(after.findings)
    if (removed > 0) sentences.push(`Removed ${plural(removed, `${type === 'bugs' ? 'bug' : type} finding`)}`)
  }
  if (after.complexity < before.complexity) {
    sentences.push(`Reduced cyclomatic complexity from ${before.complexity} to ${after.complexity}`)
  }
  if (after.lines < before.lines) {
    sentences.push(`Shortened the code by ${plural(before.lines - after.lines, 'line')}`)
  }
  if (after.score > before.score) {
    sentences.push(`Raised the analysis score from ${before.score} to ${after.score}`)
  }
  if (proof !== null) {
    sentences.push(
      `Same results on ${plural(proof.inputs, 'generated input')} for ${plural(proof.functions, 'function')}`
    )
  }
  if (limits.noRewrite === 'not-provable') sentences.push(`By the tools alone; ${notAsked(limits.language)}`)
  if (limits.noRewrite === 'not-run') {
    sentences.push(
      "By the tools alone; the model's rewrite could not be run beside the original on all planned inputs"
    )
  }
  if (limits.heldBack !== undefined) {
    sentences.push(`Not all fixes: ${limits.heldBack}`)
  }
  return sentences
}
