import type { CodeRealm } from './code-realm.js'
import type { Plan } from './plan.js'
import type { PlainShape } from './shape.js'

export type Rng = () => number

export interface InputParts {
  plan: Plan
  realm: CodeRealm
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
  /** Forgets the values that were given before. */
  reset: () => void
}

/**
 * Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. It makes values of
 * the code's realm from shapes, with means that the code cannot change.
 */
export function createInputs(parts: InputParts): Inputs {
  'use strict'
  const { plan, realm, rngOf } = parts
  let seen: any[] = []
  const texts = [
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
    'line\nline',
    'racecar',
    'https://example.com/a?b=c',
    '__',
    'aab'
  ]
  const numbers = [0, 1, 2, 3, 4, 5, 7, 10, 42, 100, -1, -2, 0.5, 2.25, 1000, -10]
  const documents = ['{}', '[]', '{"a": 1, "name": "x"}', '[1, 2, 3]', '"text"', '5', 'null', '{broken', '']
  const startMs = 1_700_000_000_000

  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]

  /** Never by assignment, which asks the prototype whether it has a setter. */
  function put(object: any, key: string | number, value: any): void {
    Reflect.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }

  function numberOf(shape: PlainShape, rng: Rng): number {
    const near = (shape.values ?? []).filter((each) => typeof each === 'number')
    if (near.length > 0 && rng() < 0.6) return pick(near, rng) + pick([-1, 0, 0, 1], rng)
    if (plan.mined.numbers.length > 0 && rng() < 0.35) {
      return pick(plan.mined.numbers, rng) + pick([-1, 0, 0, 1], rng)
    }
    return pick(numbers, rng)
  }

  function textOf(shape: PlainShape, rng: Rng): string {
    const own = (shape.values ?? []).filter((each) => typeof each === 'string')
    if (own.length > 0 && rng() < 0.6) return pick(own, rng)
    if (plan.mined.texts.length > 0 && rng() < 0.3) {
      const text = pick(plan.mined.texts, rng)
      return pick([text, `${text}x`, `x${text}`, text.toUpperCase(), `a${text}b${text}c`], rng)
    }
    return pick(texts, rng)
  }

  function itemsOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    const length = pick(depth > 2 ? [0, 1, 2] : [0, 1, 2, 3, 3, 4, 5, 6, 9], rng)
    const list = Array.from({ length }, (_, index) =>
      make(
        shape.element ?? { kinds: [pick(['number', 'string'], rngOf(parts.seed()))] },
        rng,
        `${name}[${index}]`,
        depth + 1
      )
    )
    if (list.length > 1 && rng() < 0.3) list[list.length - 1] = list[0]
    if (rng() < 0.3 && list.every((each) => typeof each === 'number')) list.sort((a, b) => a - b)
    return list
  }

  function listOf(items: readonly any[]): any[] {
    const list = realm.newArray()
    items.forEach((each, index) => put(list, index, each))
    return list
  }

  function objectOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const object = realm.newObject()
    for (const key of Object.keys(shape.props ?? {})) {
      put(object, key, make(shape.props![key]!, rng, name === '' ? key : `${name}.${key}`, depth + 1))
    }
    return object
  }

  function dictOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const keys = [...plan.mined.texts.slice(0, 3), 'a', 'b', 'key', 'x y'].filter(() => rng() < 0.5)
    const own = objectOf(shape, rng, name, depth)
    for (const key of keys) {
      if (Object.hasOwn(own, key)) continue
      put(own, key, make(shape.element ?? { kinds: ['number', 'string'] }, rng, `${name}.${key}`, depth + 1))
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

  function make(shape: PlainShape, rng: Rng, name: string, depth = 0): any {
    if (shape.isNullable === true && rng() < 0.18) return rng() < 0.5 ? null : undefined
    if (shape.isExact === true) return pick(shape.values ?? [], rng)
    const kinds = shape.kinds.filter((kind) => kind !== 'nan')
    if (shape.kinds.includes('nan') && rng() < 0.12) return pick([NaN, Infinity, -Infinity], rng)
    if (kinds.length === 0) {
      if (name.endsWith(')')) return parts.anything(name)
      kinds.push(pick(['number', 'string', 'number', 'string', 'boolean', 'array'], rng))
    }
    // Values that were seen before let two parameters meet.
    const kind = pick(kinds, rng)
    if ((kind === 'number' || kind === 'string') && seen.length > 0 && rng() < 0.3) {
      // eslint-disable-next-line valid-typeof
      const alike = seen.filter((each) => typeof each === kind)
      if (alike.length > 0) return pick(alike, rng)
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
      case 'string':
        return textOf(shape, rng)
      case 'boolean':
        return rng() < 0.5
      case 'bigint':
        return BigInt(Math.trunc(numberOf(shape, rng)) || 0)
      case 'array':
        return listOf(itemsOf(shape, rng, name, depth))
      case 'object':
        return objectOf(shape, rng, name, depth)
      case 'dict':
        return dictOf(shape, rng, name, depth)
      case 'map':
        return mapOf(shape, rng, name, depth)
      case 'set':
        return setOf(shape, rng, name, depth)
      case 'date':
        return realm.newDate(startMs + Math.floor((rng() - 0.5) * 4e10))
      case 'function':
        return parts.functionOf(shape, name)
      case 'regexp': {
        const [source, flags] = pick(
          [
            ['a', ''],
            ['^\\d+$', ''],
            ['x', 'g']
          ],
          rng
        )
        return realm.newRegExp(source, flags)
      }
      case 'error':
        return realm.newError(pick(['failed', 'missing', ''], rng))
      case 'json':
        return pick(documents, rng)
      default:
        return parts.anything(name)
    }
  }

  return {
    pick,
    make,
    reset: () => {
      seen = []
    }
  }
}
