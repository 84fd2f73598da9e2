import { createHash } from 'node:crypto'
import type { SarifLog } from '@filewright/client'
import {
  filesOfSarif,
  fingerprintsIn,
  toSarif,
  type Fingerprints,
  type SarifFile,
  type SarifFinding
} from '@filewright/contracts'
import { VERSION } from '../version.js'
import type { KnownFinding } from './baseline.js'
import type { FileReport } from './report.js'
import type { ReadSource } from './sources.js'

/** Splits the service's SARIF into one report per file; artifacts are in the order of the request. */
export function reportsOf(files: readonly ReadSource[], log: SarifLog): FileReport[] {
  const analyzed = filesOfSarif(log)
  return files.map(({ path, language, code }, index) => ({
    path,
    language,
    lines: code.split(/\r?\n/),
    ...(analyzed[index] ?? {
      findings: [],
      suppressed: [],
      score: 100,
      suggestions: [],
      engine: 'static',
      isRead: true
    })
  }))
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

function sarifFindings({ findings, suppressed }: FileReport): SarifFinding[] {
  return [...findings, ...suppressed].map(({ rule, state, ...finding }) => ({
    ...finding,
    ruleId: rule,
    baselineState: state
  }))
}

/** The fingerprints of a report's findings, followed by those of its suppressed findings. */
export const fingerprintsOfReport = (report: FileReport): Fingerprints[] =>
  fingerprintsIn({ lines: report.lines, findings: sarifFindings(report) }, hash)

/**
 * One SARIF log for all files, with one tool and one list of rules.
 * @param absent findings of the earlier run that no longer exist
 */
export function asSarif(reports: readonly FileReport[], absent: readonly KnownFinding[] = []): SarifLog {
  const byPath = new Map<string, SarifFile>()
  for (const report of reports) {
    const { path, lines, language, score, suggestions, engine } = report
    const facts = { language, score, suggestions, engine }
    byPath.set(path, { path, lines, findings: sarifFindings(report), facts })
  }
  for (const { path, finding } of absent) {
    const file = byPath.get(path) ?? { path, lines: [], findings: [] }
    byPath.set(path, { ...file, findings: [...file.findings, { ...finding, baselineState: 'absent' }] })
  }
  return toSarif([...byPath.values()], { version: VERSION, hash })
}
