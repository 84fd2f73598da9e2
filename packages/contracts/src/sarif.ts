import type { AnalysisType, FindingType, Proof } from './ai.js'
import { fingerprintsOf, type Fingerprints } from './fingerprints.js'
import { withoutProof } from './proof.js'

/** The media type of SARIF: a client that accepts it gets findings with their rules. */
export const sarifMediaType = 'application/sarif+json'

/** As in SARIF; `note` is for suggestions. */
export const sarifLevels = ['error', 'warning', 'note'] as const
export type SarifLevel = (typeof sarifLevels)[number]

/** Compared with an earlier run; `absent` is in the earlier one only. */
export type BaselineState = 'new' | 'unchanged' | 'absent'

export interface SarifFinding {
  type: FindingType
  /** `error` for a bug or vulnerability that the code itself proves; derived from the type when absent. */
  level?: SarifLevel | undefined
  /** The kind of issue that the rule detects. */
  category?: AnalysisType | undefined
  message: string
  line: number
  /** If the response names no rule, it is derived from the message. */
  ruleId?: string | undefined
  /** How to fix the finding. */
  help?: string | undefined
  /** How running the code reproduced the finding. */
  proof?: Proof | undefined
  /** Lines from the source of a client's value to the line of the finding. */
  flow?: readonly number[] | undefined
  /** The reason that a comment in the code gives for it. */
  suppression?: string | undefined
  /** Absent without a comparison. */
  baselineState?: BaselineState | undefined
  /** The fingerprints from the earlier run; computed from the lines if absent. */
  fingerprints?: Readonly<Record<string, string>> | undefined
}

export interface SarifFile {
  /** Relative, with slashes. */
  path: string
  lines: readonly string[]
  findings: readonly SarifFinding[]
  /** Facts about the whole file: its score and engine. */
  facts?: object
}

export interface SarifOptions {
  version: string
  /** A digest of a text, at least 32 characters long: a browser computes it differently. */
  hash: (text: string) => string
}

/** The levels of code scanning: high, medium, low. */
const securitySeverities: Record<SarifLevel, string> = { error: '8.0', warning: '5.0', note: '2.0' }

export const levelOf = ({ level, type }: Pick<SarifFinding, 'level' | 'type'>): SarifLevel =>
  level ?? (type === 'warning' ? 'warning' : 'note')

/** A rule's message is always the same, except for quoted names and numbers. */
export function ruleIdOf(message: string): string {
  const words =
    message
      .replace(/`[^`]*`|'[^']*'|"[^"]*"/g, 'x')
      .replace(/\d+/g, 'n')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.join('-').slice(0, 80) || 'finding'
}

const ruleOf = (finding: SarifFinding): string => finding.ruleId ?? ruleIdOf(withoutProof(finding))

interface SarifRule {
  id: string
  shortDescription: { text: string }
  fullDescription: { text: string }
  help: { text: string }
  defaultConfiguration: { level: SarifLevel }
  properties?: { tags: AnalysisType[]; 'security-severity'?: string }
}

/** A finding that a comment in the code accepts, with the reason. */
interface SarifSuppression {
  kind: 'inSource'
  status: 'accepted'
  justification: string
}

interface SarifResult {
  ruleId: string
  ruleIndex: number
  level: SarifLevel
  message: { text: string }
  locations: SarifLocation[]
  partialFingerprints: Readonly<Record<string, string>>
  suppressions?: SarifSuppression[]
  baselineState?: BaselineState
  /** From the source of the data, or from the function that the proof calls, to the finding. */
  codeFlows?: Array<{ threadFlows: Array<{ locations: Array<{ location: SarifLocation }> }> }>
  properties?: { proof: Proof }
}

interface SarifLocation {
  physicalLocation: {
    artifactLocation: { uri: string }
    region: { startLine: number; startColumn: number; endColumn: number }
  }
}

/** The part of SARIF 2.1.0 that this service writes: one run. */
export interface SarifLog {
  $schema: string
  version: '2.1.0'
  runs: Array<{
    tool: { driver: { name: string; version: string; rules: SarifRule[] } }
    artifacts: Array<{ location: { uri: string }; properties: object }>
    results: SarifResult[]
    columnKind: 'utf16CodeUnits'
  }>
}

function describe(finding: SarifFinding): SarifRule {
  const { help = '', category } = finding
  const message = withoutProof(finding)
  const level = levelOf(finding)
  return {
    id: ruleOf(finding),
    shortDescription: { text: message },
    fullDescription: { text: message },
    // Code scanning requires a help text for every rule.
    help: { text: help === '' ? message : help },
    defaultConfiguration: { level },
    ...(category === undefined
      ? {}
      : {
          properties: {
            tags: [category],
            ...(category === 'security' ? { 'security-severity': securitySeverities[level] } : {})
          }
        })
  }
}

/** The columns of the text on a line, starting at 1; the end is exclusive. */
function columnsOf(text: string): { startColumn: number; endColumn: number } {
  return {
    startColumn: text.length - text.trimStart().length + 1,
    endColumn: Math.max(text.trimEnd().length, 1) + 1
  }
}

const uriOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

function locationOf({ path, lines }: SarifFile, line: number): SarifLocation {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(path) },
      region: { startLine: line, ...columnsOf(lines[line - 1] ?? '') }
    }
  }
}

function flowParts(
  file: SarifFile,
  { proof, flow, line }: SarifFinding
): Pick<SarifResult, 'codeFlows' | 'properties'> {
  const steps = flow ?? (proof === undefined ? [] : [proof.entry_line, line])
  const locations = steps.map((each) => ({ location: locationOf(file, each) }))
  return {
    ...(locations.length === 0 ? {} : { codeFlows: [{ threadFlows: [{ locations }] }] }),
    ...(proof === undefined ? {} : { properties: { proof } })
  }
}

/** The fingerprints of a file's findings, in order. */
export function fingerprintsIn(
  { lines, findings }: Pick<SarifFile, 'lines' | 'findings'>,
  hash: SarifOptions['hash']
): Fingerprints[] {
  const places = findings.map((finding) => ({ rule: ruleOf(finding), line: finding.line }))
  return fingerprintsOf(lines, places, hash)
}

function suppressionPart({ suppression }: SarifFinding): Pick<SarifResult, 'suppressions'> {
  if (suppression === undefined) return {}
  return { suppressions: [{ kind: 'inSource', status: 'accepted', justification: suppression }] }
}

/** SARIF 2.1.0 as code scanning accepts it: relative paths, stable rule ids, fingerprints. */
export function toSarif(files: readonly SarifFile[], { version, hash }: SarifOptions): SarifLog {
  const rules = new Map<string, { index: number; rule: SarifRule }>()
  const results = files.flatMap((file) => {
    const fingerprints = fingerprintsIn(file, hash)
    return file.findings.map((finding, index) => {
      const ruleId = ruleOf(finding)
      const known = rules.get(ruleId) ?? { index: rules.size, rule: describe(finding) }
      rules.set(ruleId, known)
      return {
        ruleId,
        ruleIndex: known.index,
        level: levelOf(finding),
        message: { text: finding.message },
        // The line of an absent finding comes from the earlier run.
        locations: [
          locationOf(finding.baselineState === 'absent' ? { ...file, lines: [] } : file, finding.line)
        ],
        partialFingerprints: finding.fingerprints ?? fingerprints[index] ?? {},
        ...suppressionPart(finding),
        ...(finding.baselineState === undefined ? {} : { baselineState: finding.baselineState }),
        ...flowParts(file, finding)
      }
    })
  })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Filewright', version, rules: [...rules.values()].map(({ rule }) => rule) } },
        artifacts: files.map(({ path, facts = {} }) => ({
          location: { uri: uriOf(path) },
          properties: facts
        })),
        results,
        columnKind: 'utf16CodeUnits'
      }
    ]
  }
}
