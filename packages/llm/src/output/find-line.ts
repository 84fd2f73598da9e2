import { anchorOf } from '../anchors.js'

export interface Place {
  /** The model's message about the line. */
  message?: string
  anchor?: string | undefined
  line?: number | undefined
  /** The text of the line, as the model copied it. */
  quote?: string | undefined
}

const ANCHOR = /^(\d{1,7})#[0-9a-f]{3}$/
const ANCHOR_PREFIX = /^\s*\d{1,7}#[0-9a-f]{3}\|/
/** Shorter fragments of a line occur in too many other lines. */
const MIN_PIECE_CHARS = 6

/** Models change spaces and quotation marks, and drop a final semicolon or comma. */
function comparable(line: string): string {
  return line.replace(/\s+/g, '').replace(/["'`]/g, "'").replace(/[;,]$/, '')
}

function numberIn({ anchor = '', line }: Place): number | undefined {
  const number = Number(ANCHOR.exec(anchor.trim())?.[1] ?? /^\d{1,7}/.exec(anchor.trim())?.[0] ?? line)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

/** The element of `found` nearest to `number`; undefined when two are equally near, or without a number. */
function nearest(found: readonly number[], number: number | undefined): number | undefined {
  if (found.length === 1) return found[0]
  if (number === undefined) return undefined
  const [first, second] = found
    .map((line) => ({ line, away: Math.abs(line - number) }))
    .sort((a, b) => a.away - b.away)
  return first !== undefined && first.away !== second?.away ? first.line : undefined
}

/** The line that an anchor names, if it exists, is not empty and is the one that the model saw. */
function anchoredLine({ anchor = '', line }: Place, lines: readonly string[]): number | undefined {
  const number = Number(ANCHOR.exec(anchor.trim())?.[1])
  const content = lines[number - 1]
  if (content === undefined || content.trim() === '' || anchorOf(number, content) !== anchor.trim()) {
    return undefined
  }
  return line === undefined || line === number ? number : undefined
}

function quotedLine(quote: string, number: number | undefined, plain: readonly string[]): number | undefined {
  const wanted = comparable(quote)
  const matching = (matches: (line: string) => boolean): number[] =>
    plain.flatMap((line, index) => (line !== '' && matches(line) ? [index + 1] : []))
  const same = matching((line) => line === wanted)
  if (same.length > 0) return nearest(same, number)
  if (wanted.length < MIN_PIECE_CHARS) return undefined
  const isMostOfQuote = (line: string): boolean =>
    line.length >= MIN_PIECE_CHARS && line.length * 2 > wanted.length && wanted.includes(line)
  return nearest(
    matching((line) => line.includes(wanted) || isMostOfQuote(line)),
    number
  )
}

/** Names and calls that a message mentions. */
export function namesIn(message: string): string[] {
  return [...message.matchAll(/`([^`]{2,80})`|(?<![\w.])([A-Za-z_$][\w$.]*)\(/g)]
    .map(([, quoted, called = '']) =>
      quoted === undefined ? `${called}(` : quoted.replace(/\(.*$/s, '').trim()
    )
    .filter((name) => name.length > 1)
}

/**
 * A model that names a call but quotes no text may have miscounted: the line with the call is meant, if it is
 * unambiguous.
 */
function correctedByNames(line: number, message: string, lines: readonly string[]): number | undefined {
  const names = namesIn(message)
  const holds = (text: string): boolean => names.some((name) => text.includes(name))
  if (names.length === 0 || holds(lines[line - 1] ?? '')) return line
  const found = lines.flatMap((text, index) => (holds(text) ? [index + 1] : []))
  // A name that does not occur is one that the model proposes.
  return found.length === 0 ? line : nearest(found, line)
}

/**
 * The line that a model means: the one it quotes, nearest to its number. Models miscount more often than they
 * misquote. Without a quote the anchor must be exact. Undefined when the line is not certain.
 */
export function lineOf(place: Place, lines: readonly string[]): number | undefined {
  const quotes = (place.quote ?? '')
    .split('\n')
    .map((line) => line.replace(ANCHOR_PREFIX, ''))
    .filter((line) => comparable(line) !== '')
  if (quotes.length === 0) {
    const line = anchoredLine(place, lines)
    return line === undefined ? undefined : correctedByNames(line, place.message ?? '', lines)
  }
  const number = numberIn(place)
  const plain = lines.map(comparable)
  // If several lines are quoted, the first one found counts: the problem starts there.
  for (const quote of quotes.slice(0, 5)) {
    const line = quotedLine(quote, number, plain)
    if (line !== undefined) return line
  }
  return undefined
}
