import type { Finding } from '@filewright/client'
import type { AnalysisType, SarifLevel } from '@filewright/contracts'
import { paint, type Io } from '../io.js'

export interface ReportedFinding extends Finding {
  rule: string
  level: SarifLevel
  category: AnalysisType | undefined
  /** What to do about it. */
  help: string
}

export interface FileReport {
  /** Below the working folder, with slashes. */
  path: string
  language: string
  lines: string[]
  findings: ReportedFinding[]
  score: number
  suggestions: string[]
  /** Who answered, as in X-Engine. */
  engine: string
  /** False where no analyzer knows the language. */
  isRead: boolean
}

const looks = {
  error: { word: 'error', color: 'red', command: 'error' },
  warning: { word: 'warning', color: 'yellow', command: 'warning' },
  note: { word: 'suggestion', color: 'cyan', command: 'notice' }
} as const

const WIDEST = 160

/** What a file holds, or is called, must not reach the terminal as a command. */
export const visible = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are what is replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')

/** The line of the finding, with carets under what is written on it. */
function excerpt(io: Io, { lines }: FileReport, { line, level }: ReportedFinding): string {
  const text = visible((lines[line - 1] ?? '').replaceAll('\t', '  ').slice(0, WIDEST))
  const number = String(line).padStart(5)
  const indent = text.length - text.trimStart().length
  const carets = '^'.repeat(Math.max(1, text.trim().length))
  return [
    `${paint(io, 'dim', `${number} |`)} ${text}`,
    `${paint(io, 'dim', '      |')} ${' '.repeat(indent)}${paint(io, looks[level].color, carets)}`
  ].join('\n')
}

export function asText(io: Io, report: FileReport): string {
  return report.findings
    .map((finding) => {
      const { level, message, line, rule } = finding
      const label = paint(io, looks[level].color, looks[level].word)
      const place = paint(io, 'bold', `${visible(report.path)}:${line}`)
      const name = paint(io, 'dim', `[${rule}]`)
      return `${place} ${label} ${visible(message)} ${name}\n${excerpt(io, report, finding)}\n\n`
    })
    .join('')
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
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
