import { createHash } from 'node:crypto'
import type { SarifLog } from '@filewright/client'
import { filesOfSarif, toSarif } from '@filewright/contracts'
import { VERSION } from '../version.js'
import type { FileReport } from './report.js'
import type { ReadSource } from './sources.js'

/** Splits the service's SARIF into one report per file; artifacts are in the order of the request. */
export function reportsOf(files: readonly ReadSource[], log: SarifLog): FileReport[] {
  const analyzed = filesOfSarif(log)
  return files.map(({ path, language, code }, index) => ({
    path,
    language,
    lines: code.split(/\r?\n/),
    ...(analyzed[index] ?? { findings: [], score: 100, suggestions: [], engine: 'static', isRead: true })
  }))
}

/** One SARIF log for all files, with one tool and one list of rules. */
export function asSarif(reports: readonly FileReport[]): SarifLog {
  const files = reports.map(({ path, lines, findings, language, score, suggestions, engine }) => ({
    path,
    lines,
    findings: findings.map(({ rule, ...finding }) => ({ ...finding, ruleId: rule })),
    facts: { language, score, suggestions, engine }
  }))
  return toSarif(files, {
    version: VERSION,
    hash: (text) => createHash('sha256').update(text).digest('hex')
  })
}
