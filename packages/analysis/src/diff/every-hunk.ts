import { describe, hunksOf, type Hunk } from './describe-diff.js'
import type { AppliedFix } from '../fix/edits.js'

/** Lines of the code before. An insertion belongs to the lines on both sides of it. */
function linesOf({ at, removed }: Hunk): [first: number, last: number] {
  return removed.length === 0 ? [at, at + 1] : [at + 1, at + removed.length]
}

/**
 * The fixes, with one more for each hunk of the difference that has none. One fix may change lines that are far
 * from each other, such as those of a block that moves to the left.
 */
export function withEveryHunk(before: string, after: string, fixes: readonly AppliedFix[]): AppliedFix[] {
  const all = [...fixes]
  for (const hunk of hunksOf(before, after)) {
    const [first, last] = linesOf(hunk)
    if (fixes.some(({ line }) => line >= first && line <= last)) continue
    const cause = fixes.findLast(({ line }) => line < first) ?? fixes[0]
    if (cause === undefined) continue
    all.push({ ...cause, line: Math.max(1, first), description: describe(hunk) })
  }
  return all.sort((a, b) => a.line - b.line || (a.ruleId < b.ruleId ? -1 : 1))
}
