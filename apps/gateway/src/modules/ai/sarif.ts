import { createHash } from 'node:crypto'
import { toSarif, type AnalysisResult, type AnalyzeRequest, type SarifLog } from '@filewright/contracts'
import type { AnalyzeOutcome } from '@filewright/queue'

/** As in package.json. */
const VERSION = '0.1.0'
/** Code comes without a name, and a region needs a file to lie in. */
const PATH = 'code'

/** An analysis as SARIF, with the ids of its rules where the worker named them. */
export function sarifOf(
  { code }: Pick<AnalyzeRequest, 'code'>,
  {
    headers,
    body,
    rules
  }: { headers: Record<string, string>; body: AnalysisResult } & Pick<AnalyzeOutcome, 'rules'>
): SarifLog {
  const findings = body.analysis.map((finding, index) => ({
    ...finding,
    ruleId: rules?.[index]?.id,
    help: rules?.[index]?.help,
    level: rules?.[index]?.level,
    category: rules?.[index]?.category
  }))
  const { score, suggestions } = body
  const facts = { score, suggestions, engine: headers['x-engine'], analyzers: headers['x-analyzers'] }
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  return toSarif([{ path: PATH, lines: code.split(/\r?\n/), findings, facts }], { version: VERSION, hash })
}
