import type { CodeRealm } from './code-realm.js'
import type { CodeTexts } from './code-texts.js'
import type { Copies } from './copies.js'
import type { InputState } from './input-state.js'
import type { Mutations } from './mutations.js'
import type { Plan, Rng } from './plan.js'
import type { Primitives } from './primitives.js'
import type { PlainShape } from './shape.js'

export interface ContainerParts {
  plan: Plan
  realm: CodeRealm
  state: InputState
  mutations: Mutations
  primitives: Primitives
  copies: Copies
  codeTexts: CodeTexts
  rngOf: (start: number) => Rng
  make: (shape: PlainShape, rng: Rng, name: string, depth: number) => any
}

export interface Containers {
  /** A map, set, array or object. */
  containerOf: (kind: string, shape: PlainShape, rng: Rng, name: string, depth: number) => any
  /**
   * An equal value. If nothing describes its parts, possibly a slightly different one; for a string, possibly
   * the other case.
   */
  similar: (value: any, shape: PlainShape, rng: Rng) => any
  isUnknown: (shape: PlainShape) => boolean
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createContainers(parts: ContainerParts): Containers {
  'use strict'
  const { plan, realm, state, mutations, primitives, codeTexts, rngOf, make } = parts
  const { copyOf } = parts.copies
  const { pick } = primitives
  /** Keys that every object seems to have. */
  const inheritedKeys = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  /**
   * The limit of a run: later containers are small. Nested containers reach it sooner, because they multiply.
   */
  const maxValues = 150
  const maxNestedValues = 40
  /** Deeper than QuickJS can recurse, native functions included. */
  const maxDepth = 20_000

  /** Never by assignment, which would call a setter of the prototype. */
  function put(object: any, key: string | number, value: any): void {
    Reflect.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }

  const isFull = (depth: number): boolean =>
    depth > 0 && state.made > (depth > 1 ? maxNestedValues : maxValues)

  function lengthOf(depth: number, rng: Rng): number {
    if (state.mode === 'long') return depth === 0 ? 4 : pick([0, 1], rng)
    if (isFull(depth)) return pick([0, 1], rng)
    if (state.isTiny) return pick([0, 1, 2, 3, 4], rng)
    return depth > 2 || (state.isSmall && rng() < 0.9) ? pick([0, 1, 2], rng) : primitives.lengthOf(rng)
  }

  /** The elements of an array; rows of a matrix are often of the same length. */
  function elementsOf(element: PlainShape, length: number, rng: Rng, name: string, depth: number): any[] {
    const outer = state.rows
    const isMatrix = depth < 2 && element.kinds.length === 1 && element.kinds[0] === 'array' && rng() < 0.6
    if (isMatrix) state.rows = { depth: depth + 1, length: lengthOf(depth + 1, rng) }
    const items = Array.from({ length }, (_, index) => make(element, rng, `${name}[${index}]`, depth + 1))
    state.rows = outer
    return items
  }

  function itemsOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    const isLong = state.mode === 'long' && depth === 0
    const length = state.rows?.depth === depth ? state.rows.length : lengthOf(depth, rng)
    // Most arrays hold one kind of element if nothing describes it.
    const one: PlainShape =
      rng() < 0.15
        ? { kinds: [], isGuess: true }
        : { kinds: [pick(['number', 'string'], rng)], isGuess: true }
    const element = shape.element === undefined || isUnknown(shape.element) ? one : shape.element
    // Keys that the object does not have.
    if (!isLong && element.kinds.includes('string') && element.isGuess === true && rng() < 0.1) {
      return Array.from({ length: pick([1, 1, 2], rng) }, () => pick(inheritedKeys, rng))
    }
    const items = elementsOf(element, length, rng, name, depth)
    if (isLong) return repeated(items, shape.isSorted === true)
    if (items.length > 1) {
      const chance = rng()
      if (chance < 0.3) items[items.length - 1] = items[0]
      else if (chance < 0.4) items[items.length - 1] = similar(items[0], element, rng)
    }
    const order = rng()
    if (
      order < 0.3 &&
      (items.every((each) => typeof each === 'number') || items.every((each) => typeof each === 'string'))
    ) {
      items.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      if (order < 0.07) items.reverse()
    }
    const changed = mutations.itemsOf(items, shape, name)
    return shape.isSorted === true ? inOrder(changed) : changed
  }

  function repeated(items: any[], isSorted: boolean): any[] {
    const { longLength } = state
    if (isSorted) {
      return inOrder(items).flatMap((each) => Array.from({ length: longLength / 4 }, () => each))
    }
    while (items.length < longLength) {
      Array.prototype.push.apply(items, items.slice(0, longLength - items.length))
    }
    return items
  }

  const inOrder = (items: any[]): any[] =>
    items
      .filter((each) => !Number.isNaN(each))
      .sort((a, b) => (typeof a === 'object' ? 0 : a < b ? -1 : a > b ? 1 : 0))

  function similar(value: any, shape: PlainShape, rng: Rng): any {
    if (typeof value === 'string') return codeTexts.swapCase(value)
    if (value === 0) return -value
    return value !== null && typeof value === 'object'
      ? copyOf(
          value,
          rng,
          pick(shape.isGuess === true ? ['one', 'one', 'one', 'order'] : ['none', 'order'], rng)
        )
      : value
  }

  const isUnknown = (shape: PlainShape): boolean =>
    shape.kinds.length === 0 && shape.props === undefined && shape.isNullable === undefined

  function listOf(items: readonly any[], hole = -1): any[] {
    // A function takes only so many arguments.
    const list = Reflect.apply(realm.newList, undefined, items.slice(0, 1_000))
    for (let from = 1_000; from < items.length; from += 1_000) {
      Array.prototype.push.apply(list, items.slice(from, from + 1_000))
    }
    if (hole >= 0) delete list[hole]
    return list
  }

  function arrayOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    if (shape.tuple !== undefined) {
      return listOf(shape.tuple.map((each, index) => make(each, rng, `${name}[${index}]`, depth + 1)))
    }
    const element = shape.element ?? { kinds: [] }
    if (state.mode === 'deep' && depth === 0 && (isUnknown(element) || element.kinds.includes('array'))) {
      return realm.newNested(maxDepth)
    }
    const items = itemsOf(shape, rng, name, depth)
    // In practice, arrays of objects have no holes, and almost no code handles them.
    const isPlain = shape.isGuess === true && shape.element?.props === undefined
    if (!isPlain || state.mode === 'long' || items.length < 2 || rng() >= 0.06) return listOf(items)
    // Not the last element: the array would become shorter.
    const hole = Math.floor(rng() * (items.length - 1))
    state.holes++
    // A second run fills this hole.
    if (state.isFilled) return listOf(items.map((each, at) => (at === hole ? undefined : each)))
    return listOf(items, hole)
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
    // Reuses strings of other parameters as keys.
    const known = state.seen.filter((each) => typeof each === 'string' && each.length < 20).slice(0, 4)
    const keys = [...known, ...plan.mined.texts.slice(0, 3), 'b', 'a', 'key', 'x y', '10', '9', '', 'B', 'é']
    for (const key of keys) {
      if (isFull(depth) || rng() < (state.isSmall ? 0.8 : 0.6) || Object.hasOwn(own, key)) continue
      if (!state.seen.includes(key)) state.seen.push(key)
      const element = shape.element ?? { kinds: [], isGuess: true as const }
      put(own, key, make(element, rng, `${name}.${key}`, depth + 1))
    }
    addCompared(own, shape, rng, name, depth)
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

  /**
   * Adds keys that the code has searched for. No other value of the run depends on them, so the rest stays
   * the same.
   */
  function addCompared(object: any, shape: PlainShape, rng: Rng, name: string, depth: number): void {
    const { seen, made } = state
    const own = rngOf(Math.floor(rng() * 2 ** 31) ^ mutations.seed())
    for (const key of depth > 1 ? [] : mutations.texts().slice(0, 6)) {
      state.seen = [...seen]
      if (own() < 0.5 || Object.hasOwn(object, key)) continue
      put(object, key, make(shape.element ?? { kinds: [], isGuess: true }, own, `${name}.${key}`, depth + 1))
    }
    Object.assign(state, { seen, made })
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

  function containerOf(kind: string, shape: PlainShape, rng: Rng, name: string, depth: number): any {
    switch (kind) {
      case 'array':
        return arrayOf(shape, rng, name, depth)
      case 'map':
        return mapOf(shape, rng, name, depth)
      case 'set':
        return setOf(shape, rng, name, depth)
      default:
        // If nothing describes its parts, any part may exist.
        return kind === 'dict' || shape.props === undefined
          ? dictOf(shape, rng, name, depth)
          : objectOf(shape, rng, name, depth)
    }
  }

  return { containerOf, similar, isUnknown }
}
