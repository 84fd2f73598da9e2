import {
  faultRules,
  isOneOf,
  proofKindOf,
  scriptLanguages,
  type AnalysisType,
  type Finding
} from '@filewright/analysis/results'
import { proofSentence, type Language } from '@filewright/contracts'
import type { Proofs } from '@filewright/rewrites'
import type { Analyzers } from './analysis-pool/pool.js'

interface Code {
  code: string
  language: Language
  /** All when absent. */
  analysisTypes?: readonly AnalysisType[] | undefined
}

/** Without types and any of these there is nothing to look for. */
const mayHaveFaults = (code: string, language: Language): boolean =>
  /^t/.test(language) ||
  /\b(?:while|for|cb|\w*[cC]allback|done|next|req|request|ctx|context|event|res|response|reply)\b/.test(
    code
  ) ||
  /\.(?:match|exec)\(|@(?:param|type)\b|\]\s*=(?!=)/.test(code)

/**
 * Runs the code to reproduce its findings. A proven finding says so and is at least a warning. A model's
 * finding of a provable kind becomes a suggestion if it is not proven; the analyzers' findings do not change.
 * Faults that the runs show at other lines are added. Suppressed findings stay as they are.
 */
export async function proveFindings(
  findings: readonly Finding[],
  { code, language, analysisTypes }: Code,
  analysis: Pick<Analyzers, 'prove'>,
  signal: AbortSignal
): Promise<Finding[]> {
  const kinds = findings.flatMap((finding) => {
    const kind = proofKindOf(finding, language)
    return kind === null ? [] : [{ finding, kind }]
  })
  const provable = kinds.filter(({ finding }) => finding.suppression === undefined)
  // What a comment accepts is not reported again by another rule.
  const accepted = kinds.filter((each) => !provable.includes(each)).map(({ finding }) => finding.line)
  const isWanted = (type: string): boolean => analysisTypes?.some((each) => each === type) ?? true
  const findsFaults =
    isOneOf(language, scriptLanguages) && ['bugs', 'security'].some(isWanted) && mayHaveFaults(code, language)
  if (provable.length === 0 && !findsFaults) return [...findings]
  const tried = provable.map(({ kind, finding: { line } }) => ({ kind, line }))
  const proven = await analysis.prove({ code, language, findings: tried, findsFaults, accepted }, { signal })
  // The code cannot be loaded, so it cannot be judged by running it.
  if (proven === null) return [...findings]
  const { proofs, faults } = proven
  const judged = findings.map((finding): Finding => {
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
  return [...judged, ...faults.map(toFinding).filter(({ analysisType }) => isWanted(analysisType))]
}

function toFinding({ kind, line, proof }: Proofs['faults'][number]): Finding {
  const { ruleId, analysisType, message, suggestion } = faultRules[kind]
  return {
    ruleId,
    analysisType,
    severity: 'warning',
    type: 'warning',
    message: `${message} ${proofSentence(proof)}`,
    line,
    suggestion,
    proof
  }
}
