import { plainAnswer } from './clean-text.js'
import { fencesIn } from './fences.js'
import { isProse } from './prose.js'

const MAX_OVERLAP_CHARS = 2_000
/** A shorter overlap may be a coincidence: a closing bracket, a space. */
const MIN_OVERLAP_CHARS = 8
/** Two texts that start alike for this long are the same text started twice. */
const RESTART_CHARS = 40
const HEAD_LINES = 5

/**
 * Whether truncated text has an open fence at its end, or no fence at all: then what follows belongs to it.
 */
export function endsInside(text: string): boolean {
  return fencesIn(text).at(-1)?.closed !== true
}

/** The continuation without an introduction and the fence that models open again. */
function withoutHead(rest: string): string {
  const lines = rest.split('\n')
  const fence = lines.slice(0, HEAD_LINES).findIndex((line) => /^\s*(?:`{3,}|~{3,})[\w+#-]*\s*$/.test(line))
  const isHead = fence !== -1 && lines.slice(0, fence).every((line) => line.trim() === '' || isProse(line))
  return isHead ? lines.slice(fence + 1).join('\n') : rest
}

function bodyOf(text: string): string {
  return (fencesIn(text)[0]?.code ?? text).trim()
}

function overlapOf(first: string, rest: string): number {
  for (
    let chars = Math.min(MAX_OVERLAP_CHARS, first.length, rest.length);
    chars >= MIN_OVERLAP_CHARS;
    chars--
  ) {
    if (first.endsWith(rest.slice(0, chars))) return chars
  }
  // The truncated line, started again.
  const line = first.slice(first.lastIndexOf('\n') + 1)
  return line.trim() !== '' && rest.startsWith(line) ? line.length : 0
}

/**
 * A response and its continuation as one text, most likely reading first. If the model started over, the
 * continuation is already complete.
 */
export function joinContinuation(first: string, continuation: string): string[] {
  const plain = plainAnswer(continuation)
  const [begun, again] = [bodyOf(first), bodyOf(plain)]
  if (again.length >= RESTART_CHARS && begun.slice(0, RESTART_CHARS) === again.slice(0, RESTART_CHARS)) {
    return [again.length > begun.length ? plain : first]
  }
  if (again === begun) return [first]

  const rest = endsInside(first) && fencesIn(first).length > 0 ? withoutHead(plain) : plain
  const joined = first + rest.slice(overlapOf(first, rest))
  return [joined, ...(first.endsWith('\n') || rest.startsWith('\n') ? [] : [`${first}\n${rest}`])]
}
