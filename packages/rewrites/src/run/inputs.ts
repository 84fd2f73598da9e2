import type { CodeRealm } from './code-realm.js'
import type { createCodeTexts } from './code-texts.js'
import type { createCopies } from './copies.js'
import type { Plan, Rng } from './plan.js'
import type { createPrimitives } from './primitives.js'
import type { PlainShape } from './shape.js'

/** What the inputs of a run look like: most are `usual`. */
export type Mode = 'usual' | 'wild' | 'long'

export interface InputParts {
  plan: Plan
  realm: CodeRealm
  createPrimitives: typeof createPrimitives
  createCodeTexts: typeof createCodeTexts
  createCopies: typeof createCopies
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
  /** The same for one of many calls in a row: small values, which meet more often. */
  makeStep: (shapes: readonly PlainShape[], isRest: boolean, seed: number) => any[]
  /** Forgets the values that were given before. In some runs small numbers are frequent: capacities, keys. */
  reset: (mode: Mode, isSmall: boolean) => void
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
  let isSmall = false
  /** Objects and functions that the code was given in this run. */
  let given: Array<{ shape: PlainShape; value: any }> = []
  const codeTexts = parts.createCodeTexts(plan.mined)
  const { copyOf } = parts.createCopies(realm)
  const primitives = parts.createPrimitives({
    plan,
    seen: () => seen,
    isWild: () => mode === 'wild',
    isSmall: () => isSmall,
    codeText: (rng) => codeTexts.textOf(rng, seen)
  })
  const { pick, numberOf, textOf } = primitives
  /** Keys that every object seems to have. */
  const inheritedKeys = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
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
        : depth > 2 || (isSmall && rng() < 0.9)
          ? pick([0, 1, 2], rng)
          : primitives.lengthOf(rng)
    // Of one kind in most arrays, where nothing tells of which.
    const one: PlainShape =
      rng() < 0.15
        ? { kinds: [], isGuess: true }
        : { kinds: [pick(['number', 'string'], rng)], isGuess: true }
    const element = shape.element === undefined || isUnknown(shape.element) ? one : shape.element
    // Keys that nobody has put there.
    if (!isLong && element.kinds.includes('string') && element.isGuess === true && rng() < 0.1) {
      return Array.from({ length: pick([1, 1, 2], rng) }, () => pick(inheritedKeys, rng))
    }
    const items = Array.from({ length }, (_, index) => make(element, rng, `${name}[${index}]`, depth + 1))
    if (isLong) {
      while (items.length < longLength) items.push(...items.slice(0, longLength - items.length))
      return items
    }
    if (items.length > 1) {
      const chance = rng()
      if (chance < 0.3) items[items.length - 1] = items[0]
      else if (chance < 0.4) items[items.length - 1] = similar(items[0], rng)
    }
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

  /** An equal value or almost the same; of a string the other case. */
  function similar(value: any, rng: Rng): any {
    if (typeof value === 'string') return codeTexts.swapCase(value)
    if (value === 0) return -value
    return value !== null && typeof value === 'object'
      ? copyOf(value, rng, pick(['one', 'one', 'one', 'order'], rng))
      : value
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

  /** Deeper than functions of QuickJS call themselves. */
  function nestedDeep(): any[] {
    let list = listOf([])
    for (let level = 0; level < 20_000; level++) list = listOf([list])
    return list
  }

  function arrayOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    if (shape.tuple !== undefined) {
      return listOf(shape.tuple.map((each, index) => make(each, rng, `${name}[${index}]`, depth + 1)))
    }
    const element = shape.element ?? { kinds: [] }
    if (
      mode === 'wild' &&
      depth === 0 &&
      (isUnknown(element) || element.kinds.includes('array')) &&
      rng() < 0.1
    ) {
      return nestedDeep()
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
      if (rng() < (isSmall ? 0.8 : 0.6) || Object.hasOwn(own, key)) continue
      seen.push(key)
      const element = shape.element ?? { kinds: [], isGuess: true as const }
      put(own, key, make(element, rng, `${name}.${key}`, depth + 1))
    }
    if (shape.isGuess !== true || rng() >= 0.12) return own
    const key = pick(inheritedKeys, rng)
    const value = make(
      shape.element ?? { kinds: [], isGuess: true as const },
      rng,
      `${name}.${key}`,
      depth + 1
    )
    if (rng() < 0.7) put(own, key, value)
    else {
      const base = realm.newObject()
      put(base, 'inherited', value)
      Reflect.setPrototypeOf(own, base)
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
          if (typeof value === 'string') return rng() < 0.15 ? codeTexts.swapCase(value) : value
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

  /** Whether a value of one shape can stand where another one is wanted. */
  const fits = (own: PlainShape, wanted: PlainShape): boolean =>
    own === wanted ||
    (own.isGuess === true &&
      wanted.isGuess === true &&
      (isUnknown(wanted) || (!isUnknown(own) && own.kinds.every((kind) => wanted.kinds.includes(kind)))))

  /** Of what a parameter may be, what has parts. */
  function structured(shape: PlainShape): PlainShape {
    if (isUnknown(shape)) return { kinds: ['dict', 'dict', 'array'], isGuess: true }
    const kinds = shape.kinds.filter((kind) => kind === 'dict' || kind === 'array')
    return kinds.length === 0 ? shape : { ...shape, kinds }
  }

  /** Something that the code has been given before in this run: what was added is asked for again. */
  function givenBefore(shape: PlainShape, rng: Rng): any {
    if (given.length === 0 || rng() >= 0.3) return undefined
    const alike = given.filter((each) => fits(each.shape, shape))
    return alike.length === 0 ? undefined : pick(alike, rng).value
  }

  /** Callers may leave out the last arguments, and may pass more than a function takes. */
  function otherCount(args: any[], shapes: readonly PlainShape[], isRest: boolean, rng: Rng): void {
    const chance = rng()
    // A hole and an argument that is not there are alike only to some searches.
    if (chance < 0.05 && holes === 0) {
      for (let count = pick([1, 1, 2], rng); count > 0 && args.length > 0; count--) {
        const shape = shapes[args.length - 1]
        if (shape?.isGuess !== true && shape?.isNullable !== true) break
        args.pop()
      }
    } else if (!isRest && (chance < 0.1 || (shapes.length === 0 && chance < 0.6))) {
      const count = shapes.length === 0 ? pick([1, 1, 2, 3], rng) : 1
      const extra: PlainShape = { kinds: ['number', 'string'], isGuess: true }
      for (let nth = 0; nth < count; nth++) args.push(make(extra, rng, `extra${nth}`))
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
    const isPaired = wanted.length > 1 && rng() < 0.45
    const from = Math.floor(rng() * wanted.length)
    const to = (from + 1 + Math.floor(rng() * (wanted.length - 1))) % wanted.length
    const how = rng()
    const isTwin = isPaired && how < 0.25
    if (isTwin) seeds[to] = seeds[from]!
    // Where anything can be passed, there is more to compare in lists and objects.
    if (isPaired && fits(wanted[from]!, wanted[to]!) && rng() < 0.6) {
      wanted[from] = structured(wanted[from]!)
    }
    // In either direction, so that a string may hold what stands in a parameter before or after it.
    const isBackward = rng() < 0.5
    const before = seen
    for (let step = 0; step < wanted.length; step++) {
      const index = isBackward ? wanted.length - 1 - step : step
      if (isTwin) seen = []
      const own = rngOf(seeds[index]!)
      args[index] = givenBefore(wanted[index]!, own) ?? make(wanted[index]!, own, `arg${index}`)
    }
    if (isTwin) seen = [...before, ...seen]
    if (isPaired && !isTwin && fits(wanted[from]!, wanted[to]!) && mode !== 'long') {
      if (typeof args[from] === 'number' && rng() < 0.2) args[from] = pick([0, -0], rng)
      const value = args[from]
      const isNew = !given.some((each) => each.value === value)
      // The same thing twice, or something that is almost equal to it.
      args[to] = how < 0.35 ? value : isNew ? similar(value, rng) : args[to]
    }
    for (const [index, value] of args.entries()) {
      if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
        given.push({ shape: wanted[index]!, value })
      }
    }
    // Trailing arguments that are not there differ from those that are undefined.
    while (args.length > 0 && args.at(-1) === undefined) args.pop()
    if (mode !== 'long') otherCount(args, shapes, isRest, rng)
    return args
  }

  return {
    pick,
    make,
    makeAll,
    makeStep: (shapes, isRest, seed) => {
      isSmall = true
      return makeAll(shapes, isRest, seed)
    },
    reset: (next, small) => {
      seen = []
      given = []
      mode = next
      isSmall = small
      holes = 0
    },
    hasHoles: () => holes > 0
  }
}
