import { FilewrightError, type Filewright } from '@filewright/client'
import { fixOfLine, isFixed, limits, withLineFix, type DiffHunk, type LineFix } from '@filewright/contracts'
import { structuredPatch } from 'diff'
import type { FileReport } from '../analysis/report.js'
import { reportsOf } from '../analysis/sarif.js'
import type { Remark } from './remarks.js'

interface Candidate {
  remark: Remark
  report: FileReport
  fix: LineFix
  code: string
}

const hunksOf = (before: string, after: string): DiffHunk[] =>
  structuredPatch('a', 'a', before, after, '', '', { context: 0 }).hunks

/**
 * Adds verified fixes: applies only the service's rewrite of the line, and analyzes the file again. @param
 * reports the reports by path, with every finding
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
    const fix = typeof after === 'string' ? fixOfLine(hunksOf(code, after), remark.finding.line) : null
    if (fix === null) continue
    candidates.set(remark, { remark, report, fix, code: withLineFix(report.lines, fix).join('\n') })
  }
  const verified = new Map<Remark, LineFix>()
  for (const { remark, report, fix, code } of candidates.values()) {
    const { rule } = remark.finding
    const file = { path: report.path, language: report.language, code }
    if (code.trim() === '' || Buffer.byteLength(code) > limits.codeBytes) continue
    const [after] = reportsOf([file], await client.ai.analyzeBatchAsSarif({ files: [file] }))
    if (after !== undefined && isFixed(rule, report.findings, after.findings)) verified.set(remark, fix)
  }
  return remarks.map((remark) => {
    const fix = verified.get(remark)
    return fix === undefined ? remark : { ...remark, fix }
  })
}

/** A missing rewrite is not an error: the review then has no fix for the file. */
async function rewriteOf(client: Filewright, language: string, code: string): Promise<string | null> {
  try {
    return (await client.ai.optimize({ code, language })).optimized_code
  } catch (error) {
    if (error instanceof FilewrightError) return null
    throw error
  }
}
