/** Replaces lines of a file, the first and the last one included. */
export interface LineFix {
  first: number
  last: number
  lines: string[]
}

/** As in a unified diff without context: lines start with `-` or `+`. */
export interface DiffHunk {
  oldStart: number
  oldLines: number
  lines: readonly string[]
}

/** Longer ones are rewrites, not fixes. */
const MAX_FIX_LINES = 20

/** The part of a rewrite that changes a line. */
export function fixOfLine(hunks: readonly DiffHunk[], line: number): LineFix | null {
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

export function withLineFix(lines: readonly string[], { first, last, lines: instead }: LineFix): string[] {
  return [...lines.slice(0, first - 1), ...instead, ...lines.slice(last)]
}

interface Ruled {
  rule: string
}

function countByRule(findings: readonly Ruled[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

/** The rule fires less often than before, and no rule more often. */
export function isFixed(rule: string, before: readonly Ruled[], after: readonly Ruled[]): boolean {
  const [was, is] = [countByRule(before), countByRule(after)]
  return (
    (is.get(rule) ?? 0) < (was.get(rule) ?? 0) &&
    [...is].every(([each, count]) => count <= (was.get(each) ?? 0))
  )
}
