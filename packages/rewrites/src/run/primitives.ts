import type { Plan, Rng } from './plan.js'
import type { PlainShape } from './shape.js'

export interface PrimitiveParts {
  plan: Plan
  /** Numbers and strings created in this run so far. */
  seen: () => readonly any[]
  isWild: () => boolean
  /** Whether small numbers are frequent. */
  isSmall: () => boolean
  /** A string that the code itself suggests, or null. */
  codeText: (rng: Rng) => string | null
}

export interface Primitives {
  pick: (list: readonly any[], rng: Rng) => any
  numberOf: (shape: PlainShape, rng: Rng) => number
  textOf: (shape: PlainShape, rng: Rng) => string
  /** Of an array. */
  lengthOf: (rng: Rng) => number
  /** A value of a different kind than the guessed one. */
  otherThan: (kind: string, rng: Rng) => any
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createPrimitives(parts: PrimitiveParts): Primitives {
  'use strict'
  const { plan, seen, isWild, isSmall, codeText } = parts
  const { numbers: minedNumbers, texts: minedTexts } = plan.mined
  const texts = [
    '',
    '',
    'a',
    'b',
    'abc',
    'Hello World',
    ' padded ',
    'Ünï 漢字 😀',
    '0',
    '12',
    '-3.5',
    'a,b,c',
    'a b c',
    'x/y?c=d&e=f',
    "O'Brien <b>",
    'user@example.com',
    '2024-01-31',
    'UPPER',
    'camelCaseText',
    'snake_case_text',
    'kebab-case-text',
    'line\nline\r\n\tline',
    'racecar',
    'https://example.com/a?b=c',
    '__proto__',
    'constructor',
    'length',
    'toString',
    'a.b',
    'aab',
    '😀',
    'a😀a',
    'NaN',
    '1e3',
    '0x1f',
    '007',
    '9007199254740993'
  ]
  // All kinds of whitespace, letters whose other case has another length, a surrogate pair and its halves, a
  // combining accent and its letter, a sequence of several code points.
  const fragments = [
    ...'abcxyzABZ019 .,-_/:;&=?#%+*()[]{}<>"\'\\|$^~!@',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    'ß',
    'İ',
    'é',
    'e\u0301',
    '\u0301',
    '😀',
    '\ud83d',
    '\ude00',
    '👩‍👧',
    '漢',
    '٣',
    'aa',
    'Ab',
    '10',
    'word'
  ]
  /** Names that every object inherits. */
  const inheritedNames = ['constructor', 'length', 'toString', '__proto__', 'hasOwnProperty']
  const numbers = [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 42, 60, 100, -1, -2, 0.5, 1.5, 2.25, -0.5, 1000, -10]
  const edges = [
    Infinity,
    -Infinity,
    2 ** 31,
    2 ** 31 - 1,
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 32 + 1,
    2 ** 53,
    -(2 ** 53),
    1e21,
    1e-7,
    0.1 + 0.2,
    1.005,
    123456.789,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    1_700_000_000_000
  ]

  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]
  const isNumber = (each: any): boolean => typeof each === 'number'
  const isText = (each: any): boolean => typeof each === 'string'

  /**
   * How often a value equals one that the code compares it with. Rarely if there is only one, as in `=== ''`.
   */
  const shareOf = (own: readonly any[], most: number): number => Math.min(most, 0.1 + 0.1 * own.length)

  function near(value: number, rng: Rng): number {
    return value + pick([-1, 0, 0, 0, 1, 0.5, -0.5], rng)
  }

  function numberOf(shape: PlainShape, rng: Rng): number {
    const number = anyNumber(shape, rng)
    return shape.isWhole === true ? Math.trunc(number) : number
  }

  function anyNumber(shape: PlainShape, rng: Rng): number {
    const own = (shape.values ?? []).filter(isNumber) as number[]
    if (own.length > 0 && rng() < shareOf(own, 0.45)) return near(pick(own, rng), rng)
    if (rng() < (isSmall() ? 0.35 : 0.06)) return pick([1, 2, 2, 3], rng)
    if (minedNumbers.length > 0 && rng() < 0.3) {
      const mined: number = pick(minedNumbers, rng)
      return rng() < 0.8 ? near(mined, rng) : pick([-mined, mined * 2, mined * 3 + 1, mined / 2], rng)
    }
    if (rng() < 0.1) return pick([NaN, NaN, -0], rng)
    if (isWild() && rng() < 0.5) return pick(edges, rng)
    const chance = rng()
    if (chance < 0.25) return Math.floor(rng() * 41) - 20
    if (chance < 0.35) return Math.floor(rng() * 5_000)
    if (chance < 0.42) return Math.floor((rng() - 0.5) * 1e6) / 1_000
    return pick(numbers, rng)
  }

  /** A piece of the code's own strings, of another parameter, or of unrelated text. */
  function fragment(rng: Rng): string {
    const chance = rng()
    if (minedTexts.length > 0 && chance < 0.35) return pick(minedTexts, rng)
    if (chance < 0.5) {
      const known = seen().filter((each) => isText(each) && each !== '' && each.length < 20)
      if (known.length > 0) {
        const text: string = pick(known, rng)
        return rng() < 0.5 ? text : text.charAt(Math.floor(rng() * text.length))
      }
    }
    return pick(fragments, rng)
  }

  function composed(rng: Rng): string {
    const count = pick([1, 1, 2, 3, 3, 4, 6, 9], rng)
    const pieces = Array.from({ length: count }, () => fragment(rng))
    // Repetitions distinguish counts, runs, and first from last positions.
    if (pieces.length > 1 && rng() < 0.4) pieces.push(...pieces.slice(0, 2))
    const text = pieces.join('')
    return rng() < 0.1 ? [...text].reverse().join('') : text
  }

  function textOf(shape: PlainShape, rng: Rng): string {
    const own = (shape.values ?? []).filter(isText) as string[]
    if (own.length > 0 && rng() < shareOf(own, 0.5)) return pick(own, rng)
    if (rng() < 0.06) return pick(inheritedNames, rng)
    const suggested = codeText(rng)
    if (suggested !== null) return suggested
    if (minedTexts.length > 0 && rng() < 0.2) {
      const text: string = pick(minedTexts, rng)
      return pick(
        [text, text, `${text}x`, `x${text}`, text.toUpperCase(), text.slice(1), `a${text}b${text}c`],
        rng
      )
    }
    if (rng() < 0.08) {
      const known = minedNumbers.filter((each) => Number.isInteger(each) && each > 1 && each <= 2_000)
      if (known.length > 0) {
        const length = pick(known, rng) + pick([-1, 0, 1, 10], rng)
        return pick(['x', 'ab c', 'aB1-'], rng).repeat(length).slice(0, length)
      }
    }
    return rng() < 0.5 ? pick(texts, rng) : composed(rng)
  }

  function lengthOf(rng: Rng): number {
    const known = minedNumbers.filter((each) => Number.isInteger(each) && each > 5 && each <= 300)
    if (known.length > 0 && rng() < 0.08) return pick(known, rng) + pick([-1, 0, 1], rng)
    return pick([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 9, 17], rng)
  }

  function otherThan(kind: string, rng: Rng): any {
    return kind === 'number'
      ? pick(['', '12', ' 7 ', 'x', null, undefined, true, false], rng)
      : pick([0, 5, -1.5, null, undefined, true, false], rng)
  }

  return { pick, numberOf, textOf, lengthOf, otherThan }
}
