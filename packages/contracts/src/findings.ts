import type { AnalysisType, FindingType, Proof } from './ai.js'
import { sarifLevels, type SarifLevel, type SarifLog } from './sarif.js'

/** The severities shown to people, worst first. SARIF calls the last one `note`. */
export const severityNames = {
  error: 'error',
  warning: 'warning',
  note: 'suggestion'
} as const satisfies Record<SarifLevel, string>
export type SeverityName = (typeof severityNames)[SarifLevel]

export interface RuledFinding {
  rule: string
  level: SarifLevel
  type: FindingType
  category: AnalysisType | undefined
  message: string
  line: number
  /** How to fix the finding. */
  help: string
  /** How running the code reproduced the finding. */
  proof?: Proof
  /** Lines from the source of a client's value to the finding. */
  flow?: number[]
  /** The reason that a comment in the code gives for it. */
  suppression?: string
}

export interface AnalyzedFile {
  /** Worst first, then by line. */
  findings: RuledFinding[]
  /** Findings that a comment in the code accepts; the score does not count them. */
  suppressed: RuledFinding[]
  score: number
  suggestions: string[]
  /** The engine that analyzed the file, as in X-Engine. */
  engine: string
  /** False if no analyzer supports the language. */
  isRead: boolean
}

/** Facts about a file that SARIF does not cover. */
interface Facts {
  score?: number
  suggestions?: string[]
  engine?: string
  analyzers?: string
}

const bySeverity = (one: RuledFinding, other: RuledFinding): number =>
  sarifLevels.indexOf(one.level) - sarifLevels.indexOf(other.level) || one.line - other.line

/** Undefined for a proof alone, whose code flow is its function and the finding. */
function dataFlowOf({
  codeFlows,
  properties
}: SarifLog['runs'][number]['results'][number]): number[] | undefined {
  const steps = codeFlows?.[0]?.threadFlows[0]?.locations ?? []
  const lines = steps.map(({ location }) => location.physicalLocation.region.startLine)
  const isProof = lines.length === 2 && lines[0] === properties?.proof?.entry_line
  return lines.length < 2 || isProof ? undefined : lines
}

/** The files of a SARIF log from the service, in the order of the request. */
export function filesOfSarif({ runs: [run] }: SarifLog): AnalyzedFile[] {
  const rules = run?.tool.driver.rules ?? []
  const byUri = new Map<string, RuledFinding[]>()
  for (const result of run?.results ?? []) {
    const { ruleId, ruleIndex, level, message, locations, properties, suppressions = [] } = result
    const { artifactLocation, region } = locations[0]?.physicalLocation ?? {}
    const uri = artifactLocation?.uri ?? ''
    const own = byUri.get(uri) ?? []
    byUri.set(uri, own)
    const flow = dataFlowOf(result)
    own.push({
      rule: ruleId,
      level,
      type: level === 'note' ? 'suggestion' : 'warning',
      category: rules[ruleIndex]?.properties?.tags[0],
      message: message.text,
      line: region?.startLine ?? 1,
      help: rules[ruleIndex]?.help.text ?? '',
      ...(properties?.proof === undefined ? {} : { proof: properties.proof }),
      ...(flow === undefined ? {} : { flow }),
      ...(suppressions[0] === undefined ? {} : { suppression: suppressions[0].justification })
    })
  }
  return (run?.artifacts ?? []).map(({ location: { uri }, properties }) => {
    // The client has validated the SARIF.
    const { score = 100, suggestions = [], engine = 'static', analyzers } = properties as Facts
    const all = (byUri.get(uri) ?? []).sort(bySeverity)
    const findings = all.filter(({ suppression }) => suppression === undefined)
    const suppressed = all.filter(({ suppression }) => suppression !== undefined)
    return { findings, suppressed, score, suggestions, engine, isRead: analyzers !== 'none' }
  })
}

/** The rule's page in the console of a server. */
export const rulePath = (rule: string): string =>
  `#/rules/${rule.split('/').map(encodeURIComponent).join('/')}`
