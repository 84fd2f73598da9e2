import { FilewrightError, type Filewright } from '@filewright/client'
import { limits } from '@filewright/contracts'
import { structuredPatch } from 'diff'
import type { FileReport } from '../analysis/report.js'
import { reportsOf } from '../analysis/sarif.js'
import type { Fix, Remark } from './remarks.js'

/** Longer ones are rewrites, not fixes. */
const MAX_FIX_LINES = 20

interface Candidate {
  remark: Remark
  report: FileReport
  fix: Fix
  code: string
}

export function withFix(lines: readonly string[], { first, last, lines: instead }: Fix): string[] {
  return [...lines.slice(0, first - 1), ...instead, ...lines.slice(last)]
}

/** The part of a rewrite that changes the line of a finding. */
function fixOf(before: string, after: string, line: number): Fix | null {
  const { hunks } = structuredPatch('a', 'a', before, after, '', '', { context: 0 })
  for (const { oldStart, oldLines, lines } of hunks) {
    const last = oldStart + oldLines - 1
    if (oldLines === 0 || line < oldStart || line > last || lines.length > 2 * MAX_FIX_LINES) continue
    return {
      first: oldStart,
      last,
      lines: lines.filter((each) => each.startsWith('+')).map((each) => each.slice(1))
    }
  }
  return null
}

const countByRule = ({ findings }: Pick<FileReport, 'findings'>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

/** The rule fires less often, and no rule more often. */
function isVerified({ remark, report }: Candidate, after: FileReport): boolean {
  const [was, is] = [countByRule(report), countByRule(after)]
  const { rule } = remark.finding
  return (
    (is.get(rule) ?? 0) < (was.get(rule) ?? 0) &&
    [...is].every(([each, count]) => count <= (was.get(each) ?? 0))
  )
}

/**
 * Adds fixes that are verified: the service's rewrite of the line, alone, is analyzed again.
 * @param reports by path, as analyzed, with every finding
 */
export async function addFixes(
  client: Filewright,
  remarks: readonly Remark[],
  reports: ReadonlyMap<string, FileReport>
): Promise<Remark[]> {
  const candidates = new Map<Remark, Candidate>()
  const rewritten = new Map<string, string | null>()
  for (const remark of remarks) {
    const report = reports.get(remark.path)
    if (report === undefined) continue
    const code = report.lines.join('\n')
    if (!rewritten.has(report.path)) {
      rewritten.set(report.path, await rewriteOf(client, report.language, code))
    }
    const after = rewritten.get(report.path)
    const fix = typeof after === 'string' ? fixOf(code, after, remark.finding.line) : null
    if (fix === null) continue
    candidates.set(remark, { remark, report, fix, code: withFix(report.lines, fix).join('\n') })
  }
  const verified = new Map<Remark, Fix>()
  for (const candidate of candidates.values()) {
    const { remark, report, fix, code } = candidate
    const file = { path: report.path, language: report.language, code }
    if (code.trim() === '' || Buffer.byteLength(code) > limits.codeBytes) continue
    const [after] = reportsOf([file], await client.ai.analyzeBatchAsSarif({ files: [file] }))
    if (after !== undefined && isVerified(candidate, after)) verified.set(remark, fix)
  }
  return remarks.map((remark) => {
    const fix = verified.get(remark)
    return fix === undefined ? remark : { ...remark, fix }
  })
}

/** Without a rewrite the review has no fix for the file, and is complete. */
async function rewriteOf(client: Filewright, language: string, code: string): Promise<string | null> {
  try {
    return (await client.ai.optimize({ code, language })).optimized_code
  } catch (error) {
    if (error instanceof FilewrightError) return null
    throw error
  }
}
