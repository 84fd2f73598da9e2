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
  const hunks = hunksOf(before, after)
  const isIn = (line: number, [first, last]: [number, number]): boolean => line >= first && line <= last
  for (const hunk of hunks) {
    const place = linesOf(hunk)
    const [first] = place
    const isHere = (line: number): boolean => isIn(line, place)
    if (all.some(({ line }) => isHere(line))) continue
    // A fix that changes the code below the line it is about is named where the code changes.
    const below = fixes.findIndex(
      ({ line, changedLine }) => isHere(changedLine) && !hunks.some((other) => isIn(line, linesOf(other)))
    )
    if (below !== -1) {
      all[below] = { ...all[below]!, line: fixes[below]!.changedLine }
      continue
    }
    const cause = all.findLast(({ line }) => line < first) ?? all[0]
    if (cause === undefined) continue
    all.push({ ...cause, line: Math.max(1, first), description: describe(hunk) })
  }
  return all.sort((a, b) => a.line - b.line || (a.ruleId < b.ruleId ? -1 : 1))
}
