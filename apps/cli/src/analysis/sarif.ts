import { createHash } from 'node:crypto'
import type { SarifLog } from '@filewright/client'
import { toSarif } from '@filewright/contracts'
import { VERSION } from '../version.js'
import type { FileReport, ReportedFinding } from './report.js'

/** What the service says about the one file of a request. */
interface Facts {
  score: number
  suggestions: string[]
  engine?: string
  analyzers?: string
}

function findingsIn({ runs: [run] }: SarifLog): ReportedFinding[] {
  const rules = run?.tool.driver.rules ?? []
  return (run?.results ?? []).map(({ ruleId, ruleIndex, level, message, locations }) => ({
    rule: ruleId,
    level,
    type: level === 'note' ? 'suggestion' : 'warning',
    category: rules[ruleIndex]?.properties?.tags[0],
    message: message.text,
    line: locations[0]?.physicalLocation.region.startLine ?? 1,
    help: rules[ruleIndex]?.help.text ?? ''
  }))
}

/** One answer of the service, whose file is called `code`, as the report about a file that has a path. */
export function reportOf(file: Pick<FileReport, 'path' | 'language' | 'lines'>, log: SarifLog): FileReport {
  // The service writes them; `analyzeAsSarif` has checked that it is SARIF.
  const facts = log.runs[0]?.artifacts[0]?.properties as Facts | undefined
  return {
    ...file,
    findings: findingsIn(log).sort((a, b) => a.line - b.line),
    score: facts?.score ?? 100,
    suggestions: facts?.suggestions ?? [],
    engine: facts?.engine ?? 'static',
    isRead: facts?.analyzers !== 'none'
  }
}

/** One log of all files: one tool, one list of rules. */
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
