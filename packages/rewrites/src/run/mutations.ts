import type { MutationStep, Operand, Rng } from './plan.js'
import type { PlainShape } from './shape.js'

export interface MutationParts {
  rngOf: (start: number) => Rng
  hashOf: (text: string, start?: number) => number
  newArray: () => any[]
  /** Strings from the code, to insert into others. */
  pieces: readonly string[]
  knots: readonly string[]
}

/** Changes the values of a repeated run, so that they come closer to a branch or a boundary. */
export interface Mutations {
  /** Starts a run. Without steps, its values are not changed. */
  begin: (steps: readonly MutationStep[]) => void
  /** Called before the values of a run are created, also if they are created again. */
  reset: () => void
  /** Called before the values of one call: the names of values repeat in each call. */
  beginCall: (seed: number) => void
  /** Changes one value; its kind stays the same. */
  valueOf: (value: any, shape: PlainShape, name: string) => any
  /** Changes the elements of an array. */
  itemsOf: (items: any[], shape: PlainShape, name: string) => any[]
  /** Strings that the code compared, the latest first. */
  texts: () => string[]
  /** The seed of the last change; 0 if the run is unchanged. */
  seed: () => number
  /** Whether a part of an argument becomes a part of itself. */
  isCyclic: () => boolean
}

/** A step with derived data that every value of the run needs. */
interface KnownStep extends MutationStep {
  /** The share of values that it changes. */
  rate: number
  texts: string[]
  numeric: Array<[number, number]>
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createMutations(parts: MutationParts): Mutations {
  'use strict'
  const { rngOf, hashOf, newArray, pieces, knots } = parts
  const maxLength = 300
  let steps: readonly KnownStep[] = []
  let allTexts: string[] | null = null
  let callText = ''
  /** Values of this run that occur often in comparisons. */
  let drawn: any[] = []

  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]
  const isText = (each: any): boolean => typeof each === 'string'
  const isNumber = (each: any): boolean => typeof each === 'number'

  /** Names repeat in every run, and a hash takes more work than most values. */
  const places = new Map<string, { hash: number; isArgument: boolean }>()

  /** Only arguments depend on the call: the versions may ask a stand-in for results at different times. */
  function placeOf(name: string): number {
    let place = places.get(name)
    if (place === undefined) {
      place = { hash: hashOf(name), isArgument: /^(?:arg|extra)\d+(?![^)]*\))/.test(name) }
      places.set(name, place)
    }
    return place.isArgument ? hashOf(callText, place.hash) : place.hash
  }

  const rateOf = ({ seed, isGentle }: MutationStep): number =>
    isGentle === true ? 0.4 : pick([0.2, 0.5, 1, 1], rngOf(seed))

  /** The other operands of comparisons with this value. */
  function opposites(pairs: MutationStep['pairs'], isSide: (operand: Operand) => boolean): Operand[][] {
    return pairs.flatMap(([left, right]) => [
      ...(isSide(left) ? [[left, right]] : []),
      ...(isSide(right) ? [[right, left]] : [])
    ])
  }

  function otherNumber(value: number, { pairs, numeric }: KnownStep, rng: Rng): number {
    const near = pick([0, 0, 0, 1, -1], rng)
    const chance = rng()
    const own = opposites(pairs, (each) => each === value).filter(([, other]) => isNumber(other))
    if (own.length > 0 && chance < 0.5) return pick(own, rng)[1] + near
    if (numeric.length > 0 && chance < 0.65) {
      // The operand may be the value plus an offset.
      const [left, right]: [number, number] = pick(numeric, rng)
      return value + (rng() < 0.5 ? right - left : left - right) + near
    }
    if (numeric.length > 0 && chance < 0.8) return pick(pick(numeric, rng), rng) + near
    const known = drawn.filter(isNumber)
    return known.length > 0 && chance < 0.9
      ? pick(known, rng)
      : pick([value + 1, value - 1, -value, value * 2, 0, 1], rng)
  }

  const sized = (text: string, length: number): string =>
    length <= text.length ? text.slice(0, length) : (text === '' ? 'a' : text).repeat(length).slice(0, length)

  /** A character, or one of its neighbours: ranges end there. */
  const neighbour = (character: string, rng: Rng): string =>
    String.fromCharCode(Math.max(0, character.charCodeAt(0) + pick([0, 0, 0, 1, -1], rng)))

  /** Replaces a character with another of its class, which may make a checksum valid. */
  function alike(value: string, at: number, rng: Rng): string {
    const old = value.charAt(at)
    const known = ['0123456789', 'abcxyz', 'ABCXYZ'].find((each) => each.includes(old)) ?? ' .-/:,'
    return value.slice(0, at) + pick([...known], rng) + value.slice(at + 1)
  }

  /** Replaces one word; the text around it stays. */
  function otherWord(value: string, others: readonly string[], rng: Rng): string | null {
    const words = others.length === 0 ? [] : [...value.matchAll(/\w+/g)]
    if (words.length === 0) return null
    const { index, 0: word }: RegExpMatchArray = pick(words, rng)
    return (value.slice(0, index) + pick(others, rng) + value.slice(index! + word.length)).slice(0, maxLength)
  }

  /** Removes everything behind one of its special characters. */
  function cut(value: string, rng: Rng): string {
    const signs = [...value.matchAll(/\W/g)].map(({ index }) => index)
    return signs.length === 0 ? value : value.slice(0, pick(signs, rng))
  }

  function otherText(value: string, { pairs, texts: known, isGentle }: KnownStep, rng: Rng): string {
    // The rest of the string may hide how the versions handle the part before it.
    if (isGentle === true && rng() < 0.5) return cut(value, rng)
    const knotted = rng() < 0.2 ? otherWord(value, knots, rng) : null
    if (knotted !== null) return knotted
    const chance = rng()
    const held = opposites(pairs, (each) => String(each) !== '' && value.includes(String(each)))
    if (held.length > 0 && chance < 0.3) {
      const [part, given] = pick(held, rng).map(String)
      const other = given.length === 1 ? neighbour(given, rng) : given
      const at = rng() < 0.5 ? value.indexOf(part) : value.lastIndexOf(part)
      return value.slice(0, at) + other + value.slice(at + part.length)
    }
    const lengths = opposites(pairs, (each) => each === value.length).map(([, other]) => Number(other))
    if (lengths.length > 0 && chance < 0.38) {
      const length = pick(lengths, rng) + pick([0, 0, 1, -1], rng)
      if (length >= 0 && length <= maxLength) return sized(value, length)
    }
    if (chance < 0.45 && value !== '') return alike(value, Math.floor(rng() * value.length), rng)
    if (chance < 0.6) {
      const changed = otherWord(value, [...pieces, ...known], rng)
      if (changed !== null) return changed
    }
    const at = Math.floor(rng() * (value.length + 1))
    // Only what this step knows: with the next one, it has to come to the same.
    const operands =
      pieces.length > 0 && rng() < 0.15
        ? [...knots, ...pieces]
        : known.length > 0 && rng() < 0.8
          ? known
          : drawn.filter(isText)
    if (operands.length > 0 && chance < 0.85) {
      const operand: string = pick(operands, rng)
      return pick(
        [
          operand,
          operand + value,
          operand + value,
          value + operand,
          value.slice(0, at) + operand + value.slice(at)
        ],
        rng
      ).slice(0, maxLength)
    }
    const [head, tail] = [value.slice(0, at), value.slice(at)]
    return pick(
      [
        head + tail.slice(1),
        head + tail.slice(0, 1) + tail,
        tail + head,
        head,
        tail,
        value.repeat(pick([2, 3, 20], rng)).slice(0, maxLength)
      ],
      rng
    )
  }

  function other(value: any, shape: PlainShape, step: KnownStep, rng: Rng): any {
    if (shape.isExact === true) return pick(shape.values ?? [value], rng)
    if (shape.isNullable === true && rng() < 0.15) return rng() < 0.5 ? null : undefined
    if (typeof value === 'number') {
      const number = otherNumber(value, step, rng)
      return shape.isWhole === true ? Math.trunc(number) : number
    }
    if (typeof value === 'string') return otherText(value, step, rng)
    return typeof value === 'boolean' ? !value : value
  }

  function textsIn(list: readonly MutationStep[]): string[] {
    const found = list.flatMap(({ pairs }) => pairs.flat().filter(isText) as string[])
    return [...new Set(found)].filter((each) => each !== '')
  }

  function changeItems(items: any[], shape: PlainShape, { pairs }: MutationStep, rng: Rng): any[] {
    const lengths = opposites(pairs, (each) => each === items.length).map(([, length]) => Number(length))
    if (lengths.length > 0 && items.length > 0 && rng() < 0.4) {
      const length = pick(lengths, rng) + pick([0, 0, 1, -1], rng)
      if (length >= 0 && length <= maxLength) {
        return Array.from({ length }, (_, index) => items[index % items.length])
      }
    }
    if (items.length === 0) return items
    const [from, to] = [Math.floor(rng() * items.length), Math.floor(rng() * items.length)]
    const changed = [...items]
    switch (Math.floor(rng() * 5)) {
      case 0:
        changed.splice(to, 0, items[from])
        break
      case 1:
        changed.splice(from, 1)
        break
      case 2:
        changed[to] = items[from]
        break
      case 3:
        ;[changed[from], changed[to]] = [items[to], items[from]]
        break
      default: {
        const element = shape.element
        const isNested = element?.kinds.length === 0 || element?.kinds.includes('array') === true
        if (element?.isGuess !== true || !isNested) break
        const nested = newArray()
        Reflect.defineProperty(nested, 0, {
          value: items[from],
          writable: true,
          enumerable: true,
          configurable: true
        })
        changed[from] = nested
      }
    }
    return changed
  }

  return {
    begin: (next) => {
      allTexts = null
      steps = next.map((step) => ({
        ...step,
        rate: rateOf(step),
        texts: textsIn([step]),
        numeric: step.pairs.filter((pair) => pair.every(isNumber)) as Array<[number, number]>
      }))
    },
    reset: () => {
      drawn = []
    },
    beginCall: (seed) => {
      callText = ` ${seed}`
    },
    valueOf: (value, shape, name) => {
      if (steps.length === 0) return value
      let current = value
      const place = placeOf(name)
      for (const step of steps) {
        const rng = rngOf(place ^ step.seed)
        if (rng() < step.rate) current = other(current, shape, step, rng)
      }
      if (isText(value) || isNumber(value)) drawn.push(value)
      return current
    },
    itemsOf: (items, shape, name) => {
      if (steps.length === 0) return items
      let current = items
      const place = placeOf(`${name}[]`)
      for (const step of steps) {
        const rng = rngOf(place ^ step.seed)
        if (rng() < step.rate / 2) current = changeItems(current, shape, step, rng)
      }
      return current
    },
    seed: () => steps.at(-1)?.seed ?? 0,
    isCyclic: () => steps.some((step) => step.isCyclic === true),
    texts: () => (allTexts ??= textsIn([...steps].reverse()))
  }
}
