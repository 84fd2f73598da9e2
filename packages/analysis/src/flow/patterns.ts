import { everyKind, kinds } from './kinds.js'

const word = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'
const blanks = ' \t\n\r'
/** Every character that means something to a parser of some kind, and those of words. */
const all = `${word}${blanks}!"#$%&'()*+,-./:;<=>?@[\\]^\`{|}~`

/** Without these characters a value can do no harm of the kind. */
const dangerous: readonly (readonly [bits: number, needs: (allowed: ReadonlySet<string>) => boolean])[] = [
  [kinds.path, (allowed) => allowed.has('.') && (allowed.has('/') || allowed.has('\\'))],
  [kinds.redirect | kinds.address, (allowed) => allowed.has('/') || allowed.has(':') || allowed.has('\\')],
  [kinds.markup | kinds.template, (allowed) => allowed.has('<') || allowed.has('{')],
  [kinds.header | kinds.log, (allowed) => allowed.has('\n')],
  [kinds.property, () => true]
]
/** With any of these, everything else is open: quotes, operators, separators. */
const syntax = /["'`;|&$()<>\\\n{}*]/

/** A pattern longer than this is not read. */
const maxPatternChars = 500

/**
 * The kinds of harm that a value cannot do once it has matched the pattern as a whole. An unanchored pattern says
 * nothing about the rest of the value.
 */
export function clearedBy(pattern: string, isWhole: { atStart: boolean; atEnd: boolean }): number {
  if (pattern.length > maxPatternChars) return 0
  const startsFixed = isWhole.atStart || /^(?:\^|\\A)/.test(pattern)
  const endsFixed = isWhole.atEnd || /(?:^|[^\\])(?:\\\\)*(?:\$|\\[zZ])$/.test(pattern)
  if (!startsFixed || (hasOuterAlternative(pattern) && !(isWhole.atStart && isWhole.atEnd))) return 0
  // `^https://example\.com/…`: the host is fixed, whatever comes behind it.
  const hasHost = /^\^?https?:\\?\/\\?\/(?:[\w-]|\\\.)+\\?\//.test(pattern)
  const hostBits = hasHost ? kinds.address | kinds.redirect : 0
  if (!endsFixed) return hostBits
  const allowed = allowedIn(pattern)
  const isOpen = [...allowed].some((character) => syntax.test(character))
  const open = dangerous.reduce((bits, [own, needs]) => (needs(allowed) ? bits | own : bits), 0)
  return (isOpen ? hostBits : everyKind & ~open) | hostBits
}

function hasOuterAlternative(pattern: string): boolean {
  let depth = 0
  let inClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

/** The characters that a matching value can hold. */
function allowedIn(pattern: string): Set<string> {
  const allowed = new Set<string>()
  const add = (characters: string): void => {
    for (const each of characters) allowed.add(each)
  }
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!
    if (character === '\\') add(escaped(pattern[++at] ?? ''))
    else if (character === '.') add(all)
    else if (character === '[') {
      const end = classEnd(pattern, at)
      add(classOf(pattern.slice(at + 1, end)))
      at = end
    } else if (character === '{') at = Math.max(at, pattern.indexOf('}', at))
    else if (character === '(' && pattern[at + 1] === '?') at += 2
    else if (!/[\^$()|?*+]/.test(character)) allowed.add(character)
  }
  return allowed
}

function escaped(character: string): string {
  switch (character) {
    case 'w':
      return word
    case 'd':
      return '0123456789'
    case 's':
      return blanks
    case 'n':
      return '\n'
    case 'W':
    case 'D':
    case 'S':
    case 'p':
    case 'P':
      return all
    case 'b':
    case 'B':
    case 'A':
    case 'z':
    case 'Z':
      return ''
    default:
      return character
  }
}

function classEnd(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === ']' && at > start + 1) return at
  }
  return pattern.length
}

function classOf(body: string): string {
  const isNegated = body.startsWith('^')
  let listed = ''
  for (let at = isNegated ? 1 : 0; at < body.length; at++) {
    if (body[at] === '\\') listed += escaped(body[++at] ?? '')
    else if (body[at + 1] === '-' && at + 2 < body.length) {
      const [from, to] = [body[at]!, body[at + 2]!]
      listed += [...all].filter((each) => each >= from && each <= to).join('')
      at += 2
    } else listed += body[at]!
  }
  return isNegated ? [...all].filter((each) => !listed.includes(each)).join('') : listed
}
