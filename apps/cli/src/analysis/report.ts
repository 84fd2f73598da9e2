import {
  rulePath,
  severityNames,
  withoutProof,
  type AnalyzedFile,
  type Language,
  type Fingerprints,
  type Proof,
  type RuledFinding
} from '@filewright/contracts'
import { oneLine, paint, type Painted, type Text } from '../io.js'

export interface ReportedFinding extends RuledFinding {
  /** Compared with an earlier run; absent without one. */
  state?: 'new' | 'unchanged'
  fingerprints?: Fingerprints
}

export interface FileReport extends AnalyzedFile {
  /** Relative to the working folder, with slashes. */
  path: string
  language: Language
  lines: string[]
  findings: ReportedFinding[]
  suppressed: ReportedFinding[]
}

/** Omits findings that existed before. */
export function withoutKnown(report: FileReport): FileReport {
  const isNotKnown = ({ state }: ReportedFinding): boolean => state !== 'unchanged'
  return {
    ...report,
    findings: report.findings.filter(isNotKnown),
    suppressed: report.suppressed.filter(isNotKnown)
  }
}

const looks = {
  error: { color: 'red', command: 'error' },
  warning: { color: 'yellow', command: 'warning' },
  note: { color: 'cyan', command: 'notice' }
} as const

const MAX_WIDTH = 160

/** The line of the finding, with carets under the code. */
function excerpt({ lines }: FileReport, { line, level }: RuledFinding): Array<string | Painted> {
  const text = (lines[line - 1] ?? '').replaceAll('\t', '  ').slice(0, MAX_WIDTH)
  const number = String(line).padStart(5)
  const indent = text.length - text.trimStart().length
  const carets = '^'.repeat(Math.max(1, text.trim().length))
  return [
    paint('dim', `${number} |`),
    ` ${text}\n`,
    paint('dim', '      |'),
    ` ${' '.repeat(indent)}`,
    paint(looks[level].color, carets)
  ]
}

function provenLines({ input, observed }: Proof): Array<string | Painted> {
  return [
    paint('dim', '      = '),
    paint('bold', 'proven'),
    `: ${oneLine(input)}\n`,
    `        ${oneLine(observed)}\n`
  ]
}

/** `data flow: 3 → 5 → 7`, from the source to the finding. */
const flowLine = (flow: readonly number[]): Array<string | Painted> => [
  paint('dim', '      = '),
  `data flow: line ${flow.join(' → ')}\n`
]

/** @param server the server whose console explains the rules */
export function asText(report: FileReport, server: string): Text {
  return report.findings.flatMap((finding) => {
    const { level, line, rule, help, proof, flow } = finding
    const message = withoutProof(finding)
    return [
      paint('bold', `${report.path}:${line}`),
      ' ',
      paint(looks[level].color, severityNames[level]),
      ` ${oneLine(message)} `,
      paint('dim', `[${rule}]`),
      '\n',
      ...excerpt(report, finding),
      '\n',
      ...(flow === undefined ? [] : flowLine(flow)),
      ...(proof === undefined ? [] : provenLines(proof)),
      ...(help === '' || help === message ? [] : [paint('dim', '      = '), `fix: ${oneLine(help)}\n`]),
      paint('dim', `      = ${server}/${rulePath(rule)}\n`),
      '\n'
    ]
  })
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** GitHub workflow commands, which GitHub shows beside the lines of a pull request. */
export function asGithub({ path, findings }: FileReport): string {
  return findings
    .map(
      ({ level, message, line, rule }) =>
        `::${looks[level].command} file=${escapeProperty(path)},line=${line},title=${escapeProperty(`Filewright ${rule}`)}::${escapeData(message)}\n`
    )
    .join('')
}

const plainFinding = ({ fingerprints: _fingerprints, ...finding }: ReportedFinding): object => finding

export const asJson = ({ lines: _lines, isRead, findings, suppressed, ...report }: FileReport): object => ({
  ...report,
  findings: findings.map(plainFinding),
  suppressed: suppressed.map(plainFinding),
  analyzers: isRead
})
