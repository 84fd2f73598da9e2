import type { Finding } from '@filewright/client'
import type { AnalysisType, SarifLevel } from '@filewright/contracts'
import { oneLine, paint, type Painted, type Text } from '../io.js'

export interface ReportedFinding extends Finding {
  rule: string
  level: SarifLevel
  category: AnalysisType | undefined
  /** What to do about it. */
  help: string
}

export interface FileReport {
  /** Relative to the working folder, with slashes. */
  path: string
  language: string
  lines: string[]
  findings: ReportedFinding[]
  score: number
  suggestions: string[]
  /** The engine that answered, as in X-Engine. */
  engine: string
  /** False where no analyzer supports the language. */
  isRead: boolean
}

const looks = {
  error: { word: 'error', color: 'red', command: 'error' },
  warning: { word: 'warning', color: 'yellow', command: 'warning' },
  note: { word: 'suggestion', color: 'cyan', command: 'notice' }
} as const

const MAX_WIDTH = 160

/** The line of the finding, with carets under the code. */
function excerpt({ lines }: FileReport, { line, level }: ReportedFinding): Array<string | Painted> {
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

export function asText(report: FileReport): Text {
  return report.findings.flatMap((finding) => {
    const { level, message, line, rule } = finding
    return [
      paint('bold', `${report.path}:${line}`),
      ' ',
      paint(looks[level].color, looks[level].word),
      ` ${oneLine(message)} `,
      paint('dim', `[${rule}]`),
      '\n',
      ...excerpt(report, finding),
      '\n\n'
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

export const asJson = ({ lines: _lines, isRead, ...report }: FileReport): object => ({
  ...report,
  analyzers: isRead
})
