import { createHash } from 'node:crypto'
import {
  toSarif,
  type AnalysisResult,
  type AnalyzeBatchRequest,
  type AnalyzeRequest,
  type DetailedAnalysisResult,
  type SarifFile,
  type SarifLog
} from '@filewright/contracts'
import type { AnalyzeOutcome } from '@filewright/queue'

/** As in package.json. */
const VERSION = '0.1.0'
/** The code has no file name, and a SARIF region needs an artifact. */
const PATH = 'code'

interface Analyzed extends Pick<AnalyzeOutcome, 'rules' | 'suppressed'> {
  headers: Record<string, string>
  body: AnalysisResult
}

function fileOf(path: string, code: string, { headers, body, rules, suppressed = [] }: Analyzed): SarifFile {
  const open = body.analysis.map((finding, index) => ({
    ...finding,
    ruleId: rules?.[index]?.id,
    help: rules?.[index]?.help,
    level: rules?.[index]?.level,
    category: rules?.[index]?.category,
    proof: rules?.[index]?.proof,
    flow: rules?.[index]?.flow
  }))
  const accepted = suppressed.map(({ id, reason, ...finding }) => ({
    ...finding,
    ruleId: id,
    suppression: reason
  }))
  const findings = [...open, ...accepted]
  const { score, suggestions } = body
  const facts = { score, suggestions, engine: headers['x-engine'], analyzers: headers['x-analyzers'] }
  return { path, lines: code.split(/\r?\n/), findings, facts }
}

/** An analysis with the rules of its findings and their proofs. */
export function detailsOf({
  body,
  rules,
  suppressed
}: Pick<Analyzed, 'body' | 'rules' | 'suppressed'>): DetailedAnalysisResult {
  const analysis = body.analysis.map((finding, index) => {
    const { id, ...rule } = rules?.[index] ?? {}
    return { ...finding, ...(id === undefined ? {} : { rule: id }), ...rule }
  })
  if (suppressed === undefined) return { ...body, analysis }
  return { ...body, analysis, suppressed: suppressed.map(({ id, ...finding }) => ({ ...finding, rule: id })) }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** An analysis as SARIF, with the rule ids that the worker reported. */
export function sarifOf({ code }: Pick<AnalyzeRequest, 'code'>, analyzed: Analyzed): SarifLog {
  return toSarif([fileOf(PATH, code, analyzed)], { version: VERSION, hash })
}

export function sarifOfBatch({ files }: AnalyzeBatchRequest, analyses: readonly Analyzed[]): SarifLog {
  return toSarif(
    files.flatMap(({ path, code }, index) => {
      const analyzed = analyses[index]
      return analyzed === undefined ? [] : [fileOf(path, code, analyzed)]
    }),
    { version: VERSION, hash }
  )
}
