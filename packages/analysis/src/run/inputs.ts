import type { CodeRealm } from './code-realm.js'
import type { Plan, Rng } from './plan.js'
import type { createPrimitives } from './primitives.js'
import type { PlainShape } from './shape.js'

/** What the inputs of a run look like: most are `usual`. */
export type Mode = 'usual' | 'wild' | 'long'

export interface InputParts {
  plan: Plan
  realm: CodeRealm
  createPrimitives: typeof createPrimitives
  seed: () => number
  rngOf: (start: number) => Rng
  /** A stand-in for a function of this shape. */
  functionOf: (shape: PlainShape, name: string) => any
  /** A stand-in for something that nothing is known of. */
  anything: (name: string) => any
}

export interface Inputs {
  pick: (list: readonly any[], rng: Rng) => any
  make: (shape: PlainShape, rng: Rng, name: string, depth?: number) => any
  /** The arguments of one call; `isRest` says that the last shape is repeated. */
  makeAll: (shapes: readonly PlainShape[], isRest: boolean, seed: number) => any[]
  /** Forgets the values that were given before. */
  reset: (mode: Mode) => void
  /** Whether an array with a hole was made since the last reset. */
  hasHoles: () => boolean
}

/**
 * Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. It makes values of
 * the code's realm from shapes, with means that the code cannot change.
 */
export function createInputs(parts: InputParts): Inputs {
  'use strict'
  const { plan, realm, rngOf } = parts
  let seen: any[] = []
  let mode: Mode = 'usual'
  let holes = 0
  const primitives = parts.createPrimitives({ plan, seen: () => seen, isWild: () => mode === 'wild' })
  const { pick, numberOf, textOf } = primitives
  const documents = ['{}', '[]', '{"a": 1, "name": "x"}', '[1, 2, 3]', '"text"', '5', 'null', '{broken', '']
  const patterns = [
    ['a', ''],
    ['^\\d+$', ''],
    ['x', 'g'],
    ['[a-z]+', 'gi']
  ]
  const startMs = 1_700_000_000_000
  /** More than a function of QuickJS, and about as many as one of Node.js, takes as arguments. */
  const longLength = 66_000

  /** Never by assignment, which asks the prototype whether it has a setter. */
  function put(object: any, key: string | number, value: any): void {
    Reflect.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }

  function itemsOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    const isLong = mode === 'long' && depth === 0
    const length = isLong
      ? 4
      : mode === 'long'
        ? pick([0, 1], rng)
        : depth > 2
          ? pick([0, 1, 2], rng)
          : primitives.lengthOf(rng)
    // Of one kind in most arrays, where nothing tells of which.
    const one: PlainShape =
      rng() < 0.15
        ? { kinds: [], isGuess: true }
        : { kinds: [pick(['number', 'string'], rng)], isGuess: true }
    const element = shape.element === undefined || isUnknown(shape.element) ? one : shape.element
    const items = Array.from({ length }, (_, index) => make(element, rng, `${name}[${index}]`, depth + 1))
    if (isLong) {
      while (items.length < longLength) items.push(...items.slice(0, longLength - items.length))
      return items
    }
    if (items.length > 1 && rng() < 0.3) items[items.length - 1] = items[0]
    const order = rng()
    if (
      order < 0.3 &&
      (items.every((each) => typeof each === 'number') || items.every((each) => typeof each === 'string'))
    ) {
      items.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      if (order < 0.07) items.reverse()
    }
    return items
  }

  const isUnknown = (shape: PlainShape): boolean =>
    shape.kinds.length === 0 && shape.props === undefined && shape.isNullable === undefined

  function listOf(items: readonly any[], hole = -1): any[] {
    const list = realm.newArray()
    for (let from = 0; items.length > 1_000 && from < items.length; from += 1_000) {
      Array.prototype.push.apply(list, items.slice(from, from + 1_000))
    }
    if (items.length > 1_000) return list
    for (let at = 0; at < items.length; at++) if (at !== hole) put(list, at, items[at])
    return list
  }

  function arrayOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    if (shape.tuple !== undefined) {
      return listOf(shape.tuple.map((each, index) => make(each, rng, `${name}[${index}]`, depth + 1)))
    }
    const items = itemsOf(shape, rng, name, depth)
    // Arrays of objects have no holes in practice, and almost no code copes with one.
    const isPlain = shape.isGuess === true && shape.element?.props === undefined
    if (!isPlain || mode === 'long' || items.length < 2 || rng() >= 0.06) return listOf(items)
    holes++
    // Not the last one: an array would be shorter.
    return listOf(items, Math.floor(rng() * (items.length - 1)))
  }

  function objectOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const object = realm.newObject()
    for (const key of Object.keys(shape.props ?? {})) {
      put(object, key, make(shape.props![key]!, rng, name === '' ? key : `${name}.${key}`, depth + 1))
    }
    return object
  }

  function dictOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const own = objectOf(shape, rng, name, depth)
    // Keys and the strings of other parameters meet.
    const known = seen.filter((each) => typeof each === 'string' && each.length < 20).slice(0, 4)
    const keys = [...known, ...plan.mined.texts.slice(0, 3), 'b', 'a', 'key', 'x y', '10', '9', '', 'B', 'é']
    for (const key of keys) {
      if (rng() < 0.6 || Object.hasOwn(own, key)) continue
      seen.push(key)
      const element = shape.element ?? { kinds: [], isGuess: true as const }
      put(own, key, make(element, rng, `${name}.${key}`, depth + 1))
    }
    return own
  }

  function mapOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const map = realm.newMap()
    for (const key of itemsOf({ kinds: [], element: { kinds: ['string'] } }, rng, name, depth)) {
      const value = make(shape.element ?? { kinds: ['number'] }, rng, name, depth + 1)
      Map.prototype.set.call(map, key, value)
    }
    return map
  }

  function setOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const set = realm.newSet()
    for (const each of itemsOf(shape, rng, name, depth)) Set.prototype.add.call(set, each)
    return set
  }

  /** Anything that a caller could pass where the code does not say what it takes. */
  function kindOfAnything(rng: Rng, depth: number): string {
    const chance = rng()
    if (depth > 1 || chance < 0.6) return pick(['number', 'string', 'number', 'string', 'boolean'], rng)
    if (chance < 0.75) return 'array'
    if (chance < 0.88) return 'dict'
    return pick(['nothing', 'nothing', 'date', 'regexp', 'map', 'set', 'error', 'function'], rng)
  }

  function make(shape: PlainShape, rng: Rng, name: string, depth = 0): any {
    if (shape.isNullable === true && rng() < 0.18) {
      const isOpen = shape.isGuess === true && shape.props === undefined && !shape.kinds.includes('array')
      return isOpen && rng() < 0.4 ? pick([0, '', false, NaN], rng) : rng() < 0.5 ? null : undefined
    }
    if (shape.isExact === true) return pick(shape.values ?? [], rng)
    const kinds: string[] = shape.kinds.filter((kind) => kind !== 'nan')
    if (shape.kinds.includes('nan') && rng() < 0.12) return pick([NaN, Infinity, -Infinity], rng)
    if (kinds.length === 0) {
      if (name.endsWith(')')) return parts.anything(name)
      kinds.push(kindOfAnything(rng, depth))
    }
    const kind = pick(kinds, rng)
    if (kind === 'number' || kind === 'string') {
      if (shape.isGuess === true && mode !== 'long' && rng() < 0.05) return primitives.otherThan(kind, rng)
      // Values that were seen before let two parameters meet.
      if (seen.length > 0 && rng() < 0.3) {
        // eslint-disable-next-line valid-typeof
        const alike = seen.filter((each) => typeof each === kind)
        if (alike.length > 0) {
          const value = pick(alike, rng)
          return value === 0 && rng() < 0.3 ? -value : value
        }
      }
    }
    const value = fresh(kind, shape, rng, name, depth)
    if (typeof value === 'number' || typeof value === 'string') seen.push(value)
    return value
  }

  function fresh(kind: string, shape: PlainShape, rng: Rng, name: string, depth: number): any {
    if (depth > 9) return null
    switch (kind) {
      case 'number':
        return numberOf(shape, rng)
      case 'string': {
        const text = textOf(shape, rng)
        return mode === 'long' && depth === 0 && text !== '' && rng() < 0.7
          ? text.repeat(Math.ceil(longLength / text.length))
          : text
      }
      case 'boolean':
        return rng() < 0.5
      case 'bigint': {
        const number = Math.trunc(numberOf(shape, rng))
        return Number.isFinite(number) ? BigInt(number) : 0n
      }
      case 'array':
        return arrayOf(shape, rng, name, depth)
      case 'object':
        return objectOf(shape, rng, name, depth)
      case 'dict':
        return dictOf(shape, rng, name, depth)
      case 'map':
        return mapOf(shape, rng, name, depth)
      case 'set':
        return setOf(shape, rng, name, depth)
      case 'date':
        return realm.newDate(rng() < 0.06 ? NaN : startMs + Math.floor((rng() - 0.5) * 4e10))
      case 'function':
        return parts.functionOf(shape, name)
      case 'regexp': {
        const [source, flags] = pick(patterns, rng)
        return realm.newRegExp(source, flags)
      }
      case 'error':
        return realm.newError(pick(['failed', 'missing', ''], rng))
      case 'json':
        return pick(documents, rng)
      case 'nothing':
        return rng() < 0.5 ? null : undefined
      default:
        return parts.anything(name)
    }
  }

  function makeAll(shapes: readonly PlainShape[], isRest: boolean, seed: number): any[] {
    const rng = rngOf(seed)
    const wanted = [...shapes]
    if (isRest) {
      const last = wanted.pop()!
      for (let count = pick([0, 1, 1, 2, 2, 3, 5], rng); count > 0; count--) wanted.push(last)
    }
    const args: any[] = wanted.map(() => undefined)
    const seeds = wanted.map((_, index) => seed ^ (index * 7919 + 13))
    // Two parameters are often alike: copies that are equal, not the same.
    if (wanted.length > 1 && rng() < 0.2) {
      const [from, to] = [Math.floor(rng() * wanted.length), Math.floor(rng() * wanted.length)]
      seeds[to] = seeds[from]!
    }
    // In either direction, so that a string may hold what stands in a parameter before or after it.
    const isBackward = rng() < 0.5
    const isTwin = new Set(seeds).size < seeds.length
    for (let step = 0; step < wanted.length; step++) {
      const index = isBackward ? wanted.length - 1 - step : step
      if (isTwin) seen = []
      args[index] = make(wanted[index]!, rngOf(seeds[index]!), `arg${index}`)
    }
    // Trailing arguments that are not there differ from those that are undefined.
    while (args.length > 0 && args.at(-1) === undefined) args.pop()
    return args
  }

  return {
    pick,
    make,
    makeAll,
    reset: (next) => {
      seen = []
      mode = next
      holes = 0
    },
    hasHoles: () => holes > 0
  }
}
