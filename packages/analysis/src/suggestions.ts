import { severities, type Finding } from './types.js'

const maxSuggestions = 10

/**
 * Short and unique, those of the most severe findings first, then those that help most often, then by the
 * first line they concern.
 */
export function suggestionsOf(
  findings: readonly Pick<Finding, 'suggestion' | 'severity' | 'line'>[],
  max = maxSuggestions
): string[] {
  const seen = new Map<string, { rank: number; count: number; line: number }>()
  for (const { suggestion, severity, line } of findings) {
    const rank = severities.indexOf(severity)
    const known = seen.get(suggestion)
    if (known === undefined) seen.set(suggestion, { rank, count: 1, line })
    else {
      seen.set(suggestion, {
        rank: Math.min(known.rank, rank),
        count: known.count + 1,
        line: Math.min(known.line, line)
      })
    }
  }
  return [...seen]
    .sort(([a, x], [b, y]) => x.rank - y.rank || y.count - x.count || x.line - y.line || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([suggestion]) => suggestion)
}
