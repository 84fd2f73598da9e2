import { sarifLevels, type LineFix } from '@filewright/contracts'
import type { FileReport, ReportedFinding } from '../analysis/report.js'

export interface Remark {
  path: string
  finding: ReportedFinding
  /** Without it the finding is gone, and no other one appears. */
  fix?: LineFix
}

export interface Review {
  /** The worst first. */
  remarks: Remark[]
  /** How many more there are. */
  more: number
  suppressed: number
}

/** A reader takes in no more at once. */
export const MAX_REMARKS = 10

const categories = ['security', 'bugs', 'performance', 'style', undefined]

/** What runs as an attack is worse than what may; then a hole is worse than a slip. */
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
