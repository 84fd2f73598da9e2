const quoteChars = 60
/** What is quoted around a difference, so that a reader finds it. */
const contextChars = 12

export function quote(text: string): string {
  return `\`${text.length > quoteChars ? `${text.slice(0, quoteChars - 1)}…` : text}\``
}

/** The first line that says something. */
export function quoteFirst(lines: readonly string[]): string {
  return quote(lines.map((line) => line.trim()).find((line) => line !== '') ?? '')
}

const word = /[\w$]/

/** The place from which on two texts differ, moved back to the beginning of a word. */
function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  while (at > 0 && word.test(a[at - 1]!) && (word.test(a[at] ?? '') || word.test(b[at] ?? ''))) at--
  return at
}

/** Of two lines the parts that differ, with a little around them where they are long. */
export function differingParts(before: string, after: string): [string, string] {
  if (before.length <= quoteChars && after.length <= quoteChars) return [before, after]
  const start = firstDifference(before, after)
  const backwards = (text: string): string => [...text.slice(start)].reverse().join('')
  const end = firstDifference(backwards(before), backwards(after))
  const part = (text: string): string => {
    const from = Math.max(0, start - contextChars)
    const to = Math.min(text.length, text.length - end + contextChars)
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  }
  return [part(before), part(after)]
}
