import { relative, sep } from 'node:path'
import { Minimatch } from 'minimatch'
import type { Language } from '@filewright/contracts'
import type { FileReport, ReportedFinding } from './report.js'
import type { LoadedConfig } from '../config/load-config.js'

/** `src` means what is below it, too. */
const matcherOf = (pattern: string): Minimatch =>
  new Minimatch(pattern.replace(/\/$/, ''), {
    dot: true,
    nonegate: true,
    nocomment: true,
    nobrace: true,
    noext: true
  })

/** Whether a folder gives the file: one that the user names is analyzed whatever the file says. */
export function filterOf({ config, root }: LoadedConfig): (absolute: string, language: Language) => boolean {
  const include = config.include.map(matcherOf)
  const exclude = config.exclude.map(matcherOf)
  return (absolute, language) => {
    if (config.languages !== null && !config.languages.includes(language)) return false
    const parts = relative(root, absolute).split(sep)
    const paths = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
    const isOf = (patterns: readonly Minimatch[]): boolean =>
      patterns.some((pattern) => paths.some((path) => pattern.match(path)))
    return (include.length === 0 || isOf(include)) && !isOf(exclude)
  }
}

/** @returns how many findings are of rules that are off */
export function applyRules(
  reports: FileReport[],
  { config }: LoadedConfig
): { reports: FileReport[]; off: number } {
  if (config.rules.size === 0) return { reports, off: 0 }
  let off = 0
  const adjust = (finding: ReportedFinding): ReportedFinding[] => {
    const level = config.rules.get(finding.rule)
    if (level === 'off') off++
    if (level === undefined) return [finding]
    return level === 'off' ? [] : [{ ...finding, level, type: level === 'note' ? 'suggestion' : 'warning' }]
  }
  const order = ['error', 'warning', 'note']
  const adjusted = reports.map((report) => ({
    ...report,
    findings: report.findings
      .flatMap(adjust)
      .sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level) || a.line - b.line),
    suppressed: report.suppressed.flatMap(adjust)
  }))
  return { reports: adjusted, off }
}
