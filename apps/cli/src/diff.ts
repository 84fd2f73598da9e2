import { structuredPatch } from 'diff'
import { paint, type Painted, type Text } from './io.js'

const CONTEXT_LINES = 3

/**
 * Removed and added lines together. The work grows with the square of this number: 20,000 random lines reach
 * the limit after about 2 seconds and 100 MB.
 */
const MAX_EDITS = 3_000

export const DIFF_TOO_LARGE = `the diff is too large to show: more than ${MAX_EDITS} lines are removed and added`

/** An empty range is written with the line before it. */
const rangeOf = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`

const COLORS: Partial<Record<string, Painted['color']>> = { '-': 'red', '+': 'green' }

/** A unified diff that `patch` accepts; null if it has more than MAX_EDITS edits. */
export function unifiedDiff(path: string, before: string, after: string): Text | null {
  const name = path.replace(/^\/+/, '')
  const patch = structuredPatch(name, name, before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS
  })
  if (patch === undefined) return null
  const out: Array<string | Painted> = [paint('bold', `--- a/${name}`), paint('bold', `+++ b/${name}`)]
  for (const { oldStart, oldLines, newStart, newLines, lines } of patch.hunks) {
    out.push(paint('cyan', `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`))
    for (const line of lines) {
      const color = COLORS[line.charAt(0)]
      out.push(color === undefined ? line : paint(color, line))
    }
  }
  return out.flatMap((line) => [line, '\n'])
}
