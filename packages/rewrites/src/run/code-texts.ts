import type { Plan, Rng } from './plan.js'

export interface CodeTexts {
  /** A string that the code itself suggests, or null if it suggests none this time. */
  textOf: (rng: Rng, seen: readonly any[]) => string | null
  /** Short strings to insert into others. Overlapping ones are excluded. */
  pieces: readonly string[]
  knots: readonly string[]
  /** The letters of a string in the other case. */
  swapCase: (text: string) => string
}

/**
 * Runs inside the sandbox, in the harness's own realm. It must not refer to anything outside itself. It
 * builds strings from the code: characters of its literals and patterns, concatenated literals, examples in
 * its comments.
 */
export function createCodeTexts(mined: Plan['mined']): CodeTexts {
  'use strict'
  const { texts, examples } = mined
  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]
  // Words do not contain special characters.
  const signs = [...new Set(texts.filter((each) => each.length <= 3 || !/[a-z]{2}/i.test(each)).join(''))]
  const ends = texts.filter((each) => each.length <= 3)
  const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }
  const separators = ends.filter((each) => each.length === 1)
  const openers = ends.filter((each) => /["'`([{<]/.test(each))
  const alphabet = signs.slice(0, 40)

  /**
   * One literal that ends as another one goes on, as in `&amp;lt;` or `~01`: replaced in another order, they give
   * something else.
   */
  function entangled(): string[] {
    const short = texts.filter((each) => each.length > 1 && each.length <= 8)
    const found = short.flatMap((first) =>
      short.flatMap((second) => {
        let shared = 0
        while (shared < second.length && first[shared] === second[shared]) shared++
        const isSign = /[^\w\s]/.test(second.slice(0, shared))
        return isSign && shared < first.length && shared < second.length ? [first + second.slice(shared)] : []
      })
    )
    return [...new Set(found)].slice(0, 40)
  }

  const knots = entangled()

  /** Uses few characters, so that they combine: two quotes in quotes, a bracket that closes another one. */
  function spelled(rng: Rng): string {
    const count = Math.min(alphabet.length, pick([1, 2, 2, 3, 4, 6, 40], rng))
    const letters: string[] = Array.from({ length: count }, () => pick(alphabet, rng))
    if (rng() < 0.7) letters.push(pick(['a', 'b', 'a1', '7', ' '], rng))
    const length = 1 + Math.floor(rng() * 12)
    let text = ''
    for (let at = 0; at < length; at++) text += pick(letters, rng)
    return text
  }

  /** A word between two literals, such as quotes, braces or tags. */
  function enclosed(rng: Rng, seen: readonly any[]): string {
    const known = seen.filter((each) => typeof each === 'string' && each !== '' && each.length < 20)
    const word =
      known.length > 0 && rng() < 0.7 ? pick(known, rng) : pick(['a', 'b', 'key', 'name', '1'], rng)
    const open: string = pick(openers.length > 0 && rng() < 0.7 ? openers : ends, rng)
    const close = rng() < 0.7 ? [...open].map((each) => closers[each] ?? each).join('') : pick(ends, rng)
    const text = open + word + close
    return rng() < 0.6 ? text : `${pick(['a ', 'b', ''], rng)}${text}${pick([' c', 'd', text], rng)}`
  }

  function joined(rng: Rng): string {
    const count = 2 + Math.floor(rng() * 5)
    const chosen: string[] = Array.from({ length: pick([1, 2, 3, 5], rng) }, () => pick(texts, rng))
    const pieces = Array.from({ length: count }, () =>
      knots.length > 0 && rng() < 0.25
        ? pick(knots, rng)
        : rng() < 0.6
          ? pick(chosen, rng)
          : pick(['a', 'b', 'key', '1', '20', ' '], rng)
    )
    // One of them is often a separator.
    return pieces.join(separators.length > 0 && rng() < 0.6 ? pick(separators, rng) : '').slice(0, 80)
  }

  /** With other digits, another sign, or a part missing or repeated. */
  function varied(text: string, rng: Rng): string {
    const chance = rng()
    if (chance < 0.25) return text
    if (chance < 0.75) {
      const share = pick([0.2, 0.5, 1], rng)
      const other = text.replace(/\d/g, (digit) => (rng() < share ? pick([...'0123456789'], rng) : digit))
      return rng() < 0.5 ? other : other.replace(/[+-]/g, (sign) => (sign === '+' ? '-' : '+'))
    }
    const at = Math.floor(rng() * text.length)
    if (chance < 0.85) return text.slice(0, at) + text.slice(at + 1)
    return chance < 0.95
      ? text.slice(0, at) + pick(['x', ' ', '0', text.charAt(0)], rng) + text.slice(at)
      : text + text
  }

  const swapCase = (text: string): string => {
    const lower = text.toLowerCase()
    return text === lower ? text.toUpperCase() : lower
  }

  function textOf(rng: Rng, seen: readonly any[]): string | null {
    if (examples.length > 0 && rng() < 0.2) {
      const text = varied(pick(examples, rng), rng)
      const words = knots.length > 0 && rng() < 0.25 ? [...text.matchAll(/\w+/g)] : []
      if (words.length === 0) return text
      const { index, 0: word }: RegExpMatchArray = pick(words, rng)
      return text.slice(0, index) + pick(knots, rng) + text.slice(index! + word.length)
    }
    const chance = rng()
    if (alphabet.length > 0 && chance < 0.16) return spelled(rng)
    if (texts.length === 0) return null
    if (knots.length > 0 && rng() < 0.08) return pick(knots, rng)
    if (chance < 0.32) return joined(rng)
    if (chance < 0.38 && ends.length > 0) return enclosed(rng, seen)
    return chance < 0.42 ? varied(pick(texts, rng), rng) : null
  }

  return { textOf, swapCase, pieces: ends, knots }
}
