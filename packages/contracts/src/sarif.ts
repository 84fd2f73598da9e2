import type { FindingType } from './ai.js'

/** The media type of SARIF: what a client accepts to get findings with their rules. */
export const sarifMediaType = 'application/sarif+json'

export interface SarifFinding {
  type: FindingType
  message: string
  line: number
  /** Absent where the answer names no rule: one is made of the message. */
  ruleId?: string | undefined
  /** What to do about it. */
  help?: string | undefined
}

export interface SarifFile {
  /** Relative, with slashes. */
  path: string
  lines: readonly string[]
  findings: readonly SarifFinding[]
}

export interface SarifOptions {
  version: string
  /** A digest of a text, at least 32 characters long: what runs in a browser has another way to make it. */
  hash: (text: string) => string
}

const levels = { warning: 'warning', suggestion: 'note' } as const

/** A rule says the same sentence wherever it hits, but for names in quotes and numbers. */
export function ruleIdOf(message: string): string {
  const words =
    message
      .replace(/`[^`]*`|'[^']*'|"[^"]*"/g, 'x')
      .replace(/\d+/g, 'n')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.join('-').slice(0, 80) || 'finding'
}

const ruleOf = ({ ruleId, message }: SarifFinding): string => ruleId ?? ruleIdOf(message)

/** The same in the next run, even if lines above were added: rule, file and the text of the line. */
function fingerprintsOf({ path, lines, findings }: SarifFile, hash: SarifOptions['hash']): string[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const digest = hash([ruleOf(finding), path, (lines[finding.line - 1] ?? '').trim()].join('\0')).slice(
      0,
      32
    )
    const count = (seen.get(digest) ?? 0) + 1
    seen.set(digest, count)
    return `${digest}:${count}`
  })
}

interface SarifRule {
  id: string
  shortDescription: { text: string }
  help?: { text: string }
}

/** The columns of what is written on a line, from 1; the end is exclusive. */
function columnsOf(text: string): { startColumn: number; endColumn: number } {
  return {
    startColumn: text.length - text.trimStart().length + 1,
    endColumn: Math.max(text.trimEnd().length, 1) + 1
  }
}

/** SARIF 2.1.0 as code scanning takes it: relative paths, stable rule ids, fingerprints. */
export function toSarif(files: readonly SarifFile[], { version, hash }: SarifOptions): object {
  const rules = new Map<string, { index: number; rule: SarifRule }>()
  const results = files.flatMap((file) => {
    const fingerprints = fingerprintsOf(file, hash)
    return file.findings.map((finding, index) => {
      const { type, message, line, help = '' } = finding
      const ruleId = ruleOf(finding)
      const known = rules.get(ruleId) ?? {
        index: rules.size,
        rule: {
          id: ruleId,
          shortDescription: { text: message },
          ...(help === '' ? {} : { help: { text: help } })
        }
      }
      rules.set(ruleId, known)
      return {
        ruleId,
        ruleIndex: known.index,
        level: levels[type],
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: file.path.split('/').map(encodeURIComponent).join('/') },
              region: { startLine: line, ...columnsOf(file.lines[line - 1] ?? '') }
            }
          }
        ],
        partialFingerprints: { 'filewright/v1': fingerprints[index] ?? '' }
      }
    })
  })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Filewright', version, rules: [...rules.values()].map(({ rule }) => rule) } },
        results,
        columnKind: 'utf16CodeUnits'
      }
    ]
  }
}
