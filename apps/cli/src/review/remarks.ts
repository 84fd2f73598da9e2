import { sarifLevels, type LineFix } from '@filewright/contracts'
import type { FileReport, ReportedFinding } from '../analysis/report.js'

export interface Remark {
  path: string
  finding: ReportedFinding
  /** With this fix the finding disappears, and no other one appears. */
  fix?: LineFix
}

export interface Review {
  /** The worst first. */
  remarks: Remark[]
  /** The number of findings that were left out. */
  more: number
  suppressed: number
}

/** As many as a reader can take in. */
export const MAX_REMARKS = 10

const categories = ['security', 'bugs', 'performance', 'style', undefined]

/** Proven findings first, then security findings, then others. */
function byHarm(one: Remark, other: Remark): number {
  const ranks = ({ finding }: Remark): number[] => [
    sarifLevels.indexOf(finding.level),
    finding.proof === undefined ? 1 : 0,
    categories.indexOf(finding.category)
  ]
  const [a, b] = [ranks(one), ranks(other)]
  for (const [index, rank] of a.entries()) if (rank !== b[index]) return rank - (b[index] ?? 0)
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return one.finding.line - other.finding.line
}

/** @param told the reports with their new findings */
export function pickRemarks(told: readonly FileReport[]): Review {
  const all = told
    .flatMap(({ path, findings }) => findings.map((finding) => ({ path, finding })))
    .sort(byHarm)
  return {
    remarks: all.slice(0, MAX_REMARKS),
    more: Math.max(0, all.length - MAX_REMARKS),
    suppressed: told.reduce((sum, { suppressed }) => sum + suppressed.length, 0)
  }
}
