import { expectsValue } from '../text/sql-text.js'
import { formatMarks, isFixed, openBits, textFact, without, type Fact } from './facts.js'
import { kinds } from './kinds.js'

const maxMarks = 20

/** A format and its values, with each value where it goes; anything else as it is. */
export function filledIn(parts: readonly Fact[]): readonly Fact[] {
  const [format, ...values] = parts
  if (format === undefined || values.length === 0 || format.text === null || !isFixed(format)) return parts
  const pieces = format.text.split(formatMarks, maxMarks)
  if (pieces.length < 2) return parts
  const filled = pieces.slice(1).flatMap((piece, index) => [values[index] ?? values.at(-1)!, textFact(piece)])
  return [textFact(pieces[0]!), ...filled, ...values.slice(pieces.length - 1)]
}

/**
 * A name in quotes is meant as one: honest code builds statements so. A client's value in it is still found.
 */
export function withoutQuotedNames(parts: readonly Fact[]): Fact[] {
  return parts.map((part, index) => {
    const [before, after] = [parts[index - 1]?.text ?? '', parts[index + 1]?.text ?? '']
    const isQuoted = /["`[]$/.test(before) && /^["`\]]/.test(after)
    return part.input === 0 && isQuoted && !expectsValue(before) ? without(part, kinds.sql) : part
  })
}

/** Further on, and at more gaps than these in one piece, a statement tells nothing new. */
const maxStatementChars = 2_000
const maxGaps = 20

/** Whether a value stands in this text where a statement has one: `name = '…'`. */
export const takesValueAtGap = (text: string): boolean =>
  [...text.slice(0, maxStatementChars).matchAll(/…/g)]
    .slice(0, maxGaps)
    .some(({ index }) => expectsValue(text.slice(0, index)))

/** Whether a part that nobody knows stands where a statement has a value. */
export function takesValue(parts: readonly Fact[]): boolean {
  let before = ''
  return parts.some((part) => {
    if (before.length > maxStatementChars) return false
    const text = part.isJoined ? (part.text ?? '…') : isFixed(part) ? (part.text ?? '0') : '…'
    const isOpen = part.built === null && ((part.input | openBits(part)) & kinds.sql) !== 0
    if (isOpen && part.input !== 0) return true
    const pieces = isOpen ? text.split('…', maxGaps).slice(0, -1) : []
    const start = before
    before += text
    let read = start
    return pieces.some((piece) => {
      read += piece
      const expects = expectsValue(read)
      read += '…'
      return expects
    })
  })
}
