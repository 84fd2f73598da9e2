import type { Finding } from '@filewright/client'
import { paint, type Io } from '../io.js'

export interface FileReport {
  path: string
  language: string
  lines: string[]
  findings: Finding[]
  score: number
  suggestions: string[]
}

const WIDEST = 160

/** The line of the finding, with carets under what is written on it. */
function excerpt(io: Io, { lines }: FileReport, { line, type }: Finding): string {
  const text = (lines[line - 1] ?? '').replaceAll('\t', '  ').slice(0, WIDEST)
  const number = String(line).padStart(5)
  const indent = text.length - text.trimStart().length
  const carets = '^'.repeat(Math.max(1, text.trim().length))
  return [
    `${paint(io, 'dim', `${number} |`)} ${text}`,
    `${paint(io, 'dim', '      |')} ${' '.repeat(indent)}${paint(io, type === 'warning' ? 'red' : 'cyan', carets)}`
  ].join('\n')
}

export function asText(io: Io, report: FileReport): string {
  return report.findings
    .map((finding) => {
      const { type, message, line } = finding
      const label = paint(io, type === 'warning' ? 'yellow' : 'cyan', type)
      return `${paint(io, 'bold', `${report.path}:${line}`)} ${label} ${message}\n${excerpt(io, report, finding)}\n\n`
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
      ({ type, message, line }) =>
        `::${type === 'warning' ? 'warning' : 'notice'} file=${escapeProperty(path)},line=${line},title=Filewright::${escapeData(message)}\n`
    )
    .join('')
}

export const asJson = ({ path, language, findings, score, suggestions }: FileReport): object => ({
  path,
  language,
  score,
  findings,
  suggestions
})
