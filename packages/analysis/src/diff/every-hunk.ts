import { describe, hunksOf, type Hunk } from './describe-diff.js'
import type { AppliedFix, PlacedFix } from '../fix/edits.js'

/** Lines of the code before. An insertion belongs to the lines on both sides of it. */
function linesOf({ at, removed }: Hunk): [first: number, last: number] {
  return removed.length === 0 ? [at, at + 1] : [at + 1, at + removed.length]
}

/**
 * The fixes, with one more for each hunk of the difference that has none. One fix may change lines that are far
 * from each other, such as those of a block that moves to the left.
 */
export function withEveryHunk(before: string, after: string, fixes: readonly PlacedFix[]): AppliedFix[] {
  const all = fixes.map(({ changedLine: _, ...fix }): AppliedFix => fix)
  for (const hunk of hunksOf(before, after)) {
    const [first, last] = linesOf(hunk)
    const isHere = (line: number): boolean => line >= first && line <= last
    if (fixes.some(({ line, changedLine }) => isHere(line) || isHere(changedLine))) continue
    const cause = all.findLast(({ line }) => line < first) ?? all[0]
    if (cause === undefined) continue
    all.push({ ...cause, line: Math.max(1, first), description: describe(hunk) })
  }
  return all.sort((a, b) => a.line - b.line || (a.ruleId < b.ruleId ? -1 : 1))
}
