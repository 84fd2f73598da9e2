import { sarifLevels } from '@filewright/contracts'
import { inspect, type InspectFlags, type Inspection } from '../analysis/inspect.js'
import { asGithub, asJson, asText, withoutKnown, type FileReport } from '../analysis/report.js'
import { asSarif } from '../analysis/sarif.js'
import { summarize, summaryText } from '../analysis/summary.js'
import { exitCodes, Failure } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import type { Connection } from '../session.js'

export const formats = ['text', 'json', 'sarif', 'github'] as const
export type Format = (typeof formats)[number]
export const thresholds = ['error', 'warning', 'suggestion', 'never'] as const

export interface AnalyzeFlags extends InspectFlags {
  format: Format
  failOn: (typeof thresholds)[number]
  minScore?: number
  /** Counts per folder instead of the findings. */
  summary?: boolean
}

export async function analyze(
  io: Io,
  { client, server }: Pick<Connection, 'client' | 'server'>,
  paths: string[],
  flags: AnalyzeFlags
): Promise<void> {
  if (flags.minScore !== undefined && (flags.baseline ?? flags.since) !== undefined) {
    throw new Failure(
      '--min-score judges whole files, old findings included; with --baseline or --since use --fail-on',
      exitCodes.usage
    )
  }
  if (flags.summary === true && flags.format !== 'text' && flags.format !== 'json') {
    throw new Failure('--summary is text or JSON; leave --format out, or use --json', exitCodes.usage)
  }
  const inspection = await inspect(io, client, paths, flags)
  const told = inspection.reports.map(withoutKnown)
  if (flags.summary === true) printSummary(io, inspection, flags.format)
  else print(io, inspection, told, flags.format, server)
  noteLimits(io, inspection.reports, inspection.withModel)
  assertBelow(told, flags, inspection.isCompared)
}

function printSummary(io: Io, { reports, absent, isCompared }: Inspection, format: Format): void {
  const rows = summarize(reports, absent, isCompared)
  if (format === 'json') return io.out(jsonText({ folders: rows }))
  const note = 'Counts include known findings; the trend is new findings minus those that are gone.\n'
  io.out(`${summaryText(rows)}${isCompared ? `\n${note}` : ''}`)
}

const countOf = (reports: readonly FileReport[], key: 'findings' | 'suppressed'): number =>
  reports.reduce((sum, report) => sum + report[key].length, 0)

/** @param told the reports with the findings to show */
function print(io: Io, inspection: Inspection, told: FileReport[], format: Format, server: string): void {
  const { reports, absent, off, isCompared } = inspection
  const count = countOf(told, 'findings')
  const known = countOf(reports, 'findings') - count
  if (format === 'sarif') io.out(jsonText(asSarif(reports, absent)))
  else if (format === 'json') {
    const baseline = isCompared ? { baseline: { new: count, unchanged: known, absent: absent.length } } : {}
    io.out(jsonText({ files: told.map(asJson), ...baseline }))
  } else if (format === 'github') io.out(told.map(asGithub).join(''))
  else {
    for (const report of told) io.out(asText(report, server))
    const files = counted(reports.length, 'file')
    io.out(
      `${
        isCompared
          ? `${counted(count, 'new finding')} in ${files}; ${known} known, ${absent.length} gone`
          : `${counted(count, 'finding')} in ${files}${lowestText(reports)}`
      }${suppressedText(reports)}${off === 0 ? '' : `; ${off} of rules that .filewright.yml switches off`}\n`
    )
  }
}

function lowestText(reports: readonly FileReport[]): string {
  const [first, ...others] = reports
  if (first === undefined) return ''
  const { score, path } = others.reduce((low, one) => (one.score < low.score ? one : low), first)
  return `; the lowest score is ${score}, of ${path}`
}

/** Suppressed findings are counted, but not listed. */
function suppressedText(reports: readonly FileReport[]): string {
  const all = reports.flatMap(({ suppressed }) => suppressed)
  const ofSecurity = all.filter(({ category }) => category === 'security').length
  if (all.length === 0) return ''
  return `; ${all.length} suppressed by comments${ofSecurity === 0 ? '' : `, ${ofSecurity} of them of security`}`
}

/** Prints what the score does not show: how much was analyzed, and by which engine. */
function noteLimits(io: Io, reports: FileReport[], withModel: boolean): void {
  for (const { path, language, isRead } of reports) {
    if (isRead) continue
    io.note(
      `${path}: there is no analyzer for ${language}; only the rules for every language were applied, such as the one for secrets, so its score says little\n`
    )
  }
  if (reports.some(({ engine }) => engine === 'sandbox')) {
    io.note(
      'This server has no language model: findings marked as sandbox findings are samples, all others are real\n'
    )
  } else if (withModel && reports.some(({ engine }) => engine === 'static')) {
    io.note('The findings come from the analyzers only: the language model did not answer for every file\n')
  }
}

function assertBelow(reports: FileReport[], { failOn, minScore }: AnalyzeFlags, isCompared: boolean): void {
  const reached =
    failOn === 'never'
      ? []
      : reports.flatMap(({ findings }) =>
          findings.filter(({ level }) => sarifLevels.indexOf(level) <= thresholds.indexOf(failOn))
        )
  const low = minScore === undefined ? [] : reports.filter(({ score }) => score < minScore)
  if (reached.length > 0) {
    throw new Failure(
      `--fail-on ${failOn}: ${counted(reached.length, isCompared ? 'new finding' : 'finding')}`,
      exitCodes.findings
    )
  }
  if (low.length > 0) {
    throw new Failure(
      `--min-score ${minScore ?? 0}: ${counted(low.length, 'file')} below it: ${low.map(({ path }) => path).join(', ')}`,
      exitCodes.findings
    )
  }
}
