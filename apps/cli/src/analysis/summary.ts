import { sarifLevels, type SarifLevel } from '@filewright/contracts'
import { table } from '../io.js'
import type { KnownFinding } from './baseline.js'
import type { FileReport } from './report.js'

export interface FolderSummary {
  folder: string
  lines: number
  findings: Record<SarifLevel, number>
  /** Findings per 1,000 lines, by level. */
  per1000: Record<SarifLevel, number>
  proven: number
  /** The number of new findings minus absent ones; null without a comparison. */
  trend: number | null
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')

/** One entry per folder, sorted by name; the last one is the total. */
export function summarize(
  reports: readonly FileReport[],
  absent: readonly KnownFinding[],
  isCompared: boolean
): FolderSummary[] {
  const byFolder = new Map<string, FileReport[]>()
  const add = (folder: string, report?: FileReport): void => {
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...(report === undefined ? [] : [report])])
  }
  for (const report of reports) add(folderOf(report.path), report)
  // A folder whose last file was deleted still has a trend.
  for (const { path } of absent) if (!byFolder.has(folderOf(path))) add(folderOf(path))

  function row(folder: string, own: readonly FileReport[], gone: number): FolderSummary {
    const lines = own.reduce((sum, each) => sum + each.lines.filter((line) => line.trim() !== '').length, 0)
    const all = own.flatMap(({ findings }) => findings)
    const levels = sarifLevels.map(
      (level) => [level, all.filter((each) => each.level === level).length] as const
    )
    const rate = (count: number): number => (lines === 0 ? 0 : Math.round((count * 10_000) / lines) / 10)
    return {
      folder,
      lines,
      findings: Object.fromEntries(levels) as Record<SarifLevel, number>,
      per1000: Object.fromEntries(levels.map(([level, count]) => [level, rate(count)])) as Record<
        SarifLevel,
        number
      >,
      proven: all.filter(({ proof }) => proof !== undefined).length,
      trend: isCompared ? all.filter(({ state }) => state === 'new').length - gone : null
    }
  }

  const folders = [...byFolder].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...folders.map(([folder, own]) =>
      row(folder, own, absent.filter(({ path }) => folderOf(path) === folder).length)
    ),
    row('all', reports, absent.length)
  ]
}

const signed = (count: number): string => (count > 0 ? `+${count}` : String(count))

export function summaryText(rows: readonly FolderSummary[]): string {
  return table([
    ['folder', 'lines', 'errors/1000', 'warnings/1000', 'suggestions/1000', 'proven', 'trend'],
    ...rows.map(({ folder, lines, per1000, proven, trend }) => [
      folder,
      String(lines),
      per1000.error.toFixed(1),
      per1000.warning.toFixed(1),
      per1000.note.toFixed(1),
      String(proven),
      trend === null ? '-' : signed(trend)
    ])
  ])
}
