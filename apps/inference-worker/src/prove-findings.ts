import { proofKindOf, type Finding } from '@filewright/analysis/results'
import { proofSentence, type Language } from '@filewright/contracts'
import type { Analyzers } from './analysis-pool/pool.js'

interface Code {
  code: string
  language: Language
}

/**
 * Runs the code to reproduce its findings. A proven finding says so and is at least a warning. A model's
 * finding of a provable kind becomes a suggestion if it is not proven; the analyzers' findings do not change.
 */
export async function proveFindings(
  findings: readonly Finding[],
  { code, language }: Code,
  analysis: Pick<Analyzers, 'prove'>,
  signal: AbortSignal
): Promise<Finding[]> {
  const provable = findings.flatMap((finding) => {
    const kind = proofKindOf(finding, language)
    return kind === null ? [] : [{ finding, kind }]
  })
  if (provable.length === 0) return [...findings]
  const tried = provable.map(({ kind, finding: { line } }) => ({ kind, line }))
  const proofs = await analysis.prove({ code, language, findings: tried }, { signal })
  // The code cannot be loaded, so it cannot be judged by running it.
  if (proofs === null) return [...findings]
  return findings.map((finding) => {
    const index = provable.findIndex((each) => each.finding === finding)
    if (index === -1) return finding
    const proof = proofs[index]
    if (proof === null || proof === undefined) {
      return finding.ruleId.startsWith('model/')
        ? { ...finding, severity: 'info', type: 'suggestion' }
        : finding
    }
    return {
      ...finding,
      severity: finding.severity === 'info' ? 'warning' : finding.severity,
      type: 'warning',
      message: `${finding.message} ${proofSentence(proof)}`,
      proof
    }
  })
}
