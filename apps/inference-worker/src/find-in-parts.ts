import { isAppError } from '@filewright/runtime'

/** Consecutive lines of the code. */
export interface CodeSlice {
  code: string
  /** The number of lines before it. */
  offset: number
}

/** Sixteen parts at most; the rest is left to the analyzers. */
const MAX_DEPTH = 4

/**
 * Sends the code to the model, in halves if it does not fit the model's context. Results of some parts are
 * kept when another part fails; if all fail, the whole fails.
 */
export async function findInParts<Found>(
  slice: CodeSlice,
  ask: (slice: CodeSlice) => Promise<Found[]>,
  restMs: () => number
): Promise<Found[]> {
  const found: Found[] = []
  let answers = 0
  let failure: unknown

  async function visit(part: CodeSlice, depth: number): Promise<void> {
    // The first call has the full time limit.
    if (answers > 0 && restMs() <= 0) return
    try {
      found.push(...(await ask(part)))
      answers++
    } catch (error) {
      const halves = isAppError(error, 'INVALID_AI_REQUEST') && depth < MAX_DEPTH ? halvesOf(part) : null
      if (halves === null) {
        failure ??= error
        return
      }
      for (const half of halves) await visit(half, depth + 1)
    }
  }

  await visit(slice, 0)
  if (answers === 0 && failure !== undefined) throw failure
  return found
}

/** Splits at the blank line or start of a declaration nearest to the middle. */
export function halvesOf({ code, offset }: CodeSlice): [CodeSlice, CodeSlice] | null {
  const lines = code.split('\n')
  if (lines.length < 2) return null
  const middle = Math.floor(lines.length / 2)
  const isSeam = (at: number): boolean => lines[at - 1]?.trim() === '' && /^\S/.test(lines[at] ?? '')
  const isTop = (at: number): boolean => /^[\w@]/.test(lines[at] ?? '')
  const reach = Math.floor(lines.length / 4)
  const near = Array.from(
    { length: 2 * reach + 1 },
    (_, index) => middle + (index % 2 === 0 ? 1 : -1) * Math.ceil(index / 2)
  ).filter((at) => at >= 1 && at < lines.length)
  const at = near.find(isSeam) ?? near.find(isTop) ?? middle
  return [
    { code: lines.slice(0, at).join('\n'), offset },
    { code: lines.slice(at).join('\n'), offset: offset + at }
  ]
}
