import type { Diagnostic } from '@codemirror/lint'
import type { RuledFinding } from '@filewright/contracts'

const severities = { error: 'error', warning: 'warning', note: 'info' } as const

/** The range that marks each finding: its line, without surrounding whitespace. */
export function diagnosticsOf(
  findings: readonly Pick<RuledFinding, 'level' | 'message' | 'line'>[],
  text: string
): Diagnostic[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const diagnostics = findings.flatMap(({ level, message, line }): Diagnostic[] => {
    const start = starts[line - 1]
    // The text has changed since the analysis.
    if (start === undefined) return []
    const content = text.slice(start, (starts[line] ?? text.length + 1) - 1)
    const from = start + (content.length - content.trimStart().length)
    const to = Math.max(from, start + content.trimEnd().length)
    return [{ from, to, message, severity: severities[level] }]
  })
  return diagnostics.sort((a, b) => a.from - b.from)
}
