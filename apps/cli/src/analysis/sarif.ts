import { createHash } from 'node:crypto'
import type { SarifLog } from '@filewright/client'
import { toSarif } from '@filewright/contracts'
import { VERSION } from '../version.js'
import type { FileReport, ReportedFinding } from './report.js'
import type { ReadSource } from './sources.js'

/** What the service says about a file. */
interface Facts {
  score: number
  suggestions: string[]
  engine?: string
  analyzers?: string
}

/** Splits the service's SARIF into one report per file; artifacts are in the order of the request. */
export function reportsOf(files: readonly ReadSource[], { runs: [run] }: SarifLog): FileReport[] {
  const rules = run?.tool.driver.rules ?? []
  const findings = new Map<string, ReportedFinding[]>()
  for (const { ruleId, ruleIndex, level, message, locations } of run?.results ?? []) {
    const { artifactLocation, region } = locations[0]?.physicalLocation ?? {}
    const uri = artifactLocation?.uri ?? ''
    const own = findings.get(uri) ?? []
    findings.set(uri, own)
    own.push({
      rule: ruleId,
      level,
      type: level === 'note' ? 'suggestion' : 'warning',
      category: rules[ruleIndex]?.properties?.tags[0],
      message: message.text,
      line: region?.startLine ?? 1,
      help: rules[ruleIndex]?.help.text ?? ''
    })
  }
  return files.map(({ path, language, code }, index) => {
    const artifact = run?.artifacts[index]
    // The service writes them. The client has validated the SARIF.
    const facts = artifact?.properties as Facts | undefined
    return {
      path,
      language,
      lines: code.split(/\r?\n/),
      findings: (findings.get(artifact?.location.uri ?? '') ?? []).sort((x, y) => x.line - y.line),
      score: facts?.score ?? 100,
      suggestions: facts?.suggestions ?? [],
      engine: facts?.engine ?? 'static',
      isRead: facts?.analyzers !== 'none'
    }
  })
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
