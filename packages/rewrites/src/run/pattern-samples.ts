/** The number of strings generated from one pattern. */
const SAMPLES = 3
const MAX_CHARS = 40
const MAX_STEPS = 2_000
const MAX_PATTERN_CHARS = 500
const MAX_LINE_CHARS = 1_000

const classes: Readonly<Record<string, string>> = {
  d: '0123456789',
  w: 'abcXYZ019_',
  s: ' \t\n',
  D: 'a-Z',
  W: ' -.',
  S: 'aZ9',
  '.': 'aZ9 -'
}
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' }

/** Regular expressions in the lines of the code but one, as far as a pattern can tell. */
export const literalsIn = (code: string, except = 0): string[] =>
  code
    .split('\n')
    .flatMap((text, index) =>
      index + 1 === except || text.length > MAX_LINE_CHARS || /^\s*(?:\*|\/[*/])/.test(text)
        ? []
        : (text.match(/(?<=[=(,:]\s*)\/(?![*/ ])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g) ??
          [])
    )

/**
 * Strings that a regular expression literal is likely to match. Supports classes, groups, alternatives and
 * quantifiers. Assertions and references count as empty, so a sample may not match.
 */
export function samplesOf(literal: string): string[] {
  const source = literal.slice(1, literal.lastIndexOf('/'))
  if (source.length > MAX_PATTERN_CHARS) return []
  const samples = new Set<string>()
  for (let sample = 0; sample < SAMPLES; sample++) {
    const text = createSampler(source, sample)()
    if (text !== '' && text.length <= MAX_CHARS) samples.add(text)
  }
  return [...samples]
}

function createSampler(source: string, sample: number): () => string {
  let at = 0
  let turn = sample
  let steps = 0

  /** A different one each time, so that the samples differ. */
  const choose = <Value>(list: readonly Value[]): Value => list[turn++ % list.length]!

  function escaped(): string {
    const letter = source[at++] ?? ''
    if (classes[letter] !== undefined) return choose([...classes[letter]])
    if (letter === 'b' || letter === 'B') return ''
    const code = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/i.exec(source.slice(at - 1))
    if (code !== null) {
      at += code[0].length - 1
      const number = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16)
      return number <= 0x10ffff ? String.fromCodePoint(number) : ''
    }
    if (letter === 'p' || letter === 'P') {
      at += /^\{[^}]*\}/.exec(source.slice(at))?.[0].length ?? 0
      return choose(['é', 'A', '9'])
    }
    return /[1-9k]/.test(letter) ? '' : (controls[letter] ?? letter)
  }

  function characterClass(): string {
    const isDenied = source[at] === '^'
    if (isDenied) at++
    const members: string[] = []
    while (at < source.length && source[at] !== ']') {
      const letter = source[at++]!
      const member = letter === '\\' ? escaped() : letter
      if (source[at] === '-' && source[at + 1] !== ']' && at + 1 < source.length) {
        at++
        const last = source[at++]!
        members.push(member, last === '\\' ? escaped() : last)
      } else members.push(member)
    }
    at++
    if (!isDenied) return members.length === 0 ? '' : choose(members)
    return [...'a0 -_.Z'].find((each) => !members.includes(each)) ?? ''
  }

  function group(): string {
    const kind = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(source.slice(at))?.[0] ?? ''
    at += kind.length
    const inner = alternatives()
    at++
    return /^\?(?:=|!|<=|<!)$/.test(kind) ? '' : inner
  }

  function atom(): string {
    // Nested quantifiers multiply.
    if (++steps > MAX_STEPS) {
      at = source.length
      return ''
    }
    const letter = source[at++]!
    if (letter === '\\') return escaped()
    if (letter === '[') return characterClass()
    if (letter === '(') return group()
    if (letter === '.') return choose([...classes['.']!])
    return letter === '^' || letter === '$' ? '' : letter
  }

  function repeated(): string {
    const start = at
    const first = atom()
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at))
    if (quantifier === null) return first
    const end = at + quantifier[0].length
    const least =
      quantifier[1] === undefined ? (quantifier[0].startsWith('+') ? 1 : 0) : Number(quantifier[1])
    const count = Math.min(
      quantifier[0].startsWith('?') ? turn++ % 2 : least + (quantifier[1] === undefined ? turn++ % 3 : 0),
      MAX_CHARS
    )
    let text = ''
    for (let nth = 0; nth < count; nth++) {
      at = start
      text += atom()
    }
    at = end
    return text
  }

  function alternatives(): string {
    const all = ['']
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++
        all.push('')
      } else all[all.length - 1] += repeated()
    }
    return choose(all)
  }

  return alternatives
}
