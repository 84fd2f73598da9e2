import { isAbsolute, relative, sep } from 'node:path'
import { Minimatch } from 'minimatch'
import { sarifLevels, scoreOf, type Language } from '@filewright/contracts'
import type { LoadedConfig } from '../config/load-config.js'
import { noConfig, type ProjectConfig } from '../config/parse-config.js'
import type { FileReport, ReportedFinding } from './report.js'
import type { Filter } from './sources.js'

/** `src` also matches everything below it. */
const matcherOf = (pattern: string): Minimatch =>
  new Minimatch(pattern.replace(/\/$/, ''), {
    dot: true,
    nonegate: true,
    nocomment: true,
    nobrace: true,
    noext: true
  })

/** The file's path below the root, or null if it is elsewhere. */
function pathBelow({ root, links = [] }: LoadedConfig, absolute: string): string | null {
  const [given = '', real = ''] = links.find(([folder]) => absolute.startsWith(folder + sep)) ?? []
  const path = relative(root, given === '' ? absolute : real + absolute.slice(given.length))
  return path.split(sep)[0] === '..' || isAbsolute(path) ? null : path
}

/** The configuration that applies to the file. */
export function configOf(configs: readonly LoadedConfig[], absolute: string): ProjectConfig {
  return configs.find((loaded) => pathBelow(loaded, absolute) !== null)?.config ?? noConfig
}

function filterOfOne({ config }: LoadedConfig): (path: string, language: Language) => boolean {
  const include = config.include.map(matcherOf)
  const exclude = config.exclude.map(matcherOf)
  return (path, language) => {
    if (config.languages !== null && !config.languages.includes(language)) return false
    const parts = path.split(sep)
    const paths = parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
    const isOf = (patterns: readonly Minimatch[]): boolean =>
      patterns.some((pattern) => paths.some((each) => pattern.match(each)))
    return (include.length === 0 || isOf(include)) && !isOf(exclude)
  }
}

/**
 * Whether a file found in a folder is analyzed. Files that the user names are analyzed whatever
 * `.filewright.yml` says. @param configs the innermost first
 */
export function filterOf(configs: readonly LoadedConfig[]): Filter {
  const filters = configs.map((loaded) => ({ loaded, filter: filterOfOne(loaded) }))
  return (absolute, language) => {
    for (const { loaded, filter } of filters) {
      const path = pathBelow(loaded, absolute)
      if (path !== null) return filter(path, language)
    }
    return true
  }
}

/** @returns the reports with the configuration applied, and the number of findings of rules that are off */
export function applyRules(
  reports: FileReport[],
  configFor: (path: string) => ProjectConfig
): { reports: FileReport[]; off: number } {
  let off = 0
  const adjusted = reports.map((report) => {
    const { rules } = configFor(report.path)
    if (rules.size === 0) return report
    const adjust = (finding: ReportedFinding): ReportedFinding[] => {
      const level = rules.get(finding.rule)
      if (level === 'off') off++
      if (level === undefined) return [finding]
      return level === 'off' ? [] : [{ ...finding, level, type: level === 'note' ? 'suggestion' : 'warning' }]
    }
    const findings = report.findings
      .flatMap(adjust)
      .sort((a, b) => sarifLevels.indexOf(a.level) - sarifLevels.indexOf(b.level) || a.line - b.line)
    // The score covers only the findings that are shown.
    return { ...report, findings, suppressed: report.suppressed.flatMap(adjust), score: scoreOf(findings) }
  })
  return { reports: adjusted, off }
}
