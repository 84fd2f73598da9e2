/** The lines that a value has gone through, newest first. It shares its older part with other values. */
export interface Trace {
  readonly line: number
  readonly before: Trace | null
}

/** More steps than these say no more to a reader. */
const MAX_STEPS = 10

export const step = (before: Trace | null, line: number): Trace | null =>
  line === 0 || before?.line === line ? before : { line, before }

/** The steps of `later` behind those of `earlier`: of a value that a function was given, and in the function. */
export function continued(earlier: Trace | null, later: Trace | null): Trace | null {
  return linesOf(later).reduce(step, earlier)
}

/** From the source on. Of a long way the start and the end. */
export function linesOf(trace: Trace | null): number[] {
  const lines: number[] = []
  for (let each = trace; each !== null; each = each.before) lines.push(each.line)
  if (lines.length > MAX_STEPS) lines.splice(MAX_STEPS / 2, lines.length - MAX_STEPS)
  return lines.reverse()
}

/** From the source to the finding; empty where both are on one line, or the source is not known. */
export function flowOf(trace: Trace | null, line: number): number[] {
  const lines = linesOf(step(trace, line))
  return lines.length > 1 ? lines : []
}
