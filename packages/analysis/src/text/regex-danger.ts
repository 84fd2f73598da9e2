import { isExponential, isWithin, type Part } from './regex-ambiguity.js'

/**
 * Whether a regular expression can take exponential time on text that almost matches. Works for the syntax that
 * JavaScript, Python, Java and others share.
 */
export function isCatastrophicRegex(pattern: string): boolean {
  if (pattern.length > 2_000 || !/\)[*+{]/.test(pattern)) return false
  try {
    return isExponential(parsePattern(pattern), classes.w!)
  } catch {
    return false
  }
}

const all = range(0, 127)
const classes: Record<string, ReadonlySet<number>> = {
  d: range(48, 57),
  w: new Set([...range(48, 57), ...range(65, 90), 95, ...range(97, 122)]),
  s: new Set([9, 10, 11, 12, 13, 32])
}

function range(from: number, to: number): Set<number> {
  return new Set(Array.from({ length: to - from + 1 }, (_, index) => from + index))
}

function without(codes: ReadonlySet<number>): Set<number> {
  return new Set([...all].filter((code) => !codes.has(code)))
}

function escaped(letter: string): ReadonlySet<number> | null {
  const known = classes[letter.toLowerCase()]
  if (known !== undefined) return letter === letter.toLowerCase() ? known : without(known)
  if (/[bBAzZG]/.test(letter)) return null
  const special: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }
  return new Set([special[letter] ?? Math.min(letter.charCodeAt(0), 127)])
}

/** The parts of a pattern. Throws for syntax that it does not know. */
export function parsePattern(pattern: string): Part[][] {
  let at = 0
  let depth = 0

  function branches(): Part[][] {
    const found: Part[][] = [[]]
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at++
        found.push([])
      } else append(found.at(-1)!, quantified(atom()))
    }
    return found
  }

  function append(branch: Part[], part: Part): void {
    const last = branch.at(-1)
    // \s+(?!\s) never gives back what it took: a shorter match would have to be followed by a space.
    if (part.kind === 'nothing' && last?.kind === 'set' && isWithin(last.codes, part.never)) {
      branch.splice(-1, 1, { ...last, min: Math.min(last.min, 1), max: 1 })
    }
    branch.push(part)
  }

  function atom(): Part {
    const letter = pattern[at++]!
    if (letter === '(') return group()
    if (letter === '[') return { kind: 'set', codes: characterClass(), min: 1, max: 1 }
    if (letter === '^' || letter === '$') return { kind: 'nothing', min: 1, max: 1 }
    if (letter === '.') return { kind: 'set', codes: without(new Set([10, 13])), min: 1, max: 1 }
    if (letter !== '\\') {
      return { kind: 'set', codes: new Set([Math.min(letter.charCodeAt(0), 127)]), min: 1, max: 1 }
    }
    const code = codeOfEscape()
    if (code !== null) return { kind: 'set', codes: new Set([code]), min: 1, max: 1 }
    const name = pattern[at++] ?? '\\'
    const codes = escaped(name)
    return codes === null
      ? { kind: 'nothing', isBoundary: name === 'b', min: 1, max: 1 }
      : { kind: 'set', codes, min: 1, max: 1 }
  }

  /** `\x41`, `\u0041`: a character by its number, read from behind the backslash. */
  function codeOfEscape(): number | null {
    // `\p{L}` is mostly beyond ASCII.
    const property = /^p\{[\w=]+\}/i.exec(pattern.slice(at, at + 40))?.[0]
    if (property !== undefined) {
      at += property.length
      return 127
    }
    const [text, digits] = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(pattern.slice(at, at + 5)) ?? []
    if (text === undefined) return null
    at += text.length
    return Math.min(Number.parseInt(digits ?? text.slice(1), 16), 127)
  }

  function group(): Part {
    // Deeper groups than anyone writes are not worth a call stack.
    if (++depth > 50) throw new Error('nested too deeply')
    const prefix = /^\?(?:<?[=!]|:|>|P?<\w+>|[imsx-]+:)/.exec(pattern.slice(at, at + 60))?.[0] ?? ''
    at += prefix.length
    const inside = branches()
    if (pattern[at] !== ')') throw new Error('unclosed group')
    at++
    depth--
    const [only] = inside.length === 1 && inside[0]!.length === 1 ? inside[0]! : []
    if (prefix === '?!' && only?.kind === 'set' && only.min > 0) {
      return { kind: 'nothing', never: only.codes, min: 1, max: 1 }
    }
    // Lookarounds match nothing; atomic groups never go back.
    if (/^\?(?:<?[=!]|>)/.test(prefix)) return { kind: 'nothing', min: 1, max: 1 }
    return { kind: 'group', branches: inside, min: 1, max: 1 }
  }

  function characterClass(): Set<number> {
    const negated = pattern[at] === '^'
    if (negated) at++
    const codes = new Set<number>()
    for (let first = true; at < pattern.length && (first || pattern[at] !== ']'); first = false) {
      const letter = pattern[at++]!
      const code = letter === '\\' ? codeOfEscape() : Math.min(letter.charCodeAt(0), 127)
      const single = code === null ? (escaped(pattern[at++] ?? '\\') ?? new Set([8])) : new Set([code])
      if (
        single.size === 1 &&
        pattern[at] === '-' &&
        pattern[at + 1] !== ']' &&
        pattern[at + 1] !== undefined
      ) {
        at++
        const end = pattern[at++]!
        const last =
          (end === '\\' ? codeOfEscape() : null) ?? (end === '\\' ? pattern[at++]! : end).charCodeAt(0)
        for (const each of range([...single][0]!, Math.min(last, 127))) codes.add(each)
      } else for (const each of single) codes.add(each)
    }
    at++
    return negated ? without(codes) : codes
  }

  function quantified(part: Part): Part {
    const [text, symbol, low, comma, high] =
      /^(?:([*+?])|\{(\d*)(,?)(\d*)\})[?+]?/.exec(pattern.slice(at, at + 20)) ?? []
    if (text === undefined || text === '{}' || text === '{,}') return part
    at += text.length
    // A possessive repetition never gives back what it took.
    if (text.length > 1 && text.endsWith('+')) return { ...part, min: 1, max: 1 }
    if (symbol !== undefined) {
      return { ...part, min: symbol === '+' ? 1 : 0, max: symbol === '?' ? 1 : Infinity }
    }
    const min = Number(low || 0)
    return { ...part, min, max: comma === '' ? min : high === '' ? Infinity : Number(high) }
  }

  const result = branches()
  if (at < pattern.length) throw new Error('unbalanced')
  return result
}
