import { createHash } from 'node:crypto'
import { VERSION } from '../version.js'
import type { FileReport } from './report.js'

const levels = { warning: 'warning', suggestion: 'note' } as const

/**
 * The service names no rules in its answer. A rule says the same sentence wherever it hits, but for names in
 * quotes and numbers.
 */
export function ruleIdOf(message: string): string {
  const words =
    message
      .replace(/`[^`]*`|'[^']*'|"[^"]*"/g, 'x')
      .replace(/\d+/g, 'n')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.join('-').slice(0, 80) || 'finding'
}

/** The same in the next run, even if lines above were added: rule, file and the text of the line. */
function fingerprintsOf({ path, lines, findings }: FileReport): string[] {
  const seen = new Map<string, number>()
  return findings.map(({ message, line }) => {
    const hash = createHash('sha256')
      .update([ruleIdOf(message), path, (lines[line - 1] ?? '').trim()].join('\0'))
      .digest('hex')
      .slice(0, 32)
    const count = (seen.get(hash) ?? 0) + 1
    seen.set(hash, count)
    return `${hash}:${count}`
  })
}

/** SARIF 2.1.0 as code scanning takes it: relative paths, stable rule ids, fingerprints. */
export function asSarif(reports: readonly FileReport[]): object {
  const rules = new Map<string, { id: string; shortDescription: { text: string } }>()
  const results = reports.flatMap((report) => {
    const fingerprints = fingerprintsOf(report)
    return report.findings.map(({ type, message, line }, i) => {
      const ruleId = ruleIdOf(message)
      if (!rules.has(ruleId)) rules.set(ruleId, { id: ruleId, shortDescription: { text: message } })
      return {
        ruleId,
        ruleIndex: [...rules.keys()].indexOf(ruleId),
        level: levels[type],
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: report.path.split('/').map(encodeURIComponent).join('/') },
              region: { startLine: line }
            }
          }
        ],
        partialFingerprints: { 'filewright/v1': fingerprints[i] ?? '' }
      }
    })
  })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Filewright', version: VERSION, rules: [...rules.values()] } },
        results,
        columnKind: 'utf16CodeUnits'
      }
    ]
  }
}
