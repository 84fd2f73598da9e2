import type { createArguments } from './arguments.js'
import type { CodeRealm } from './code-realm.js'
import type { CodeTexts } from './code-texts.js'
import type { createContainers } from './containers.js'
import type { createCopies } from './copies.js'
import type { createCycles } from './cycles.js'
import type { InputState, Mode } from './input-state.js'
import type { Mutations } from './mutations.js'
import type { Plan, Rng } from './plan.js'
import type { createPrimitives } from './primitives.js'
import type { PlainShape } from './shape.js'

/**
 * `small`: small numbers are frequent, such as capacities and keys. `tiny`: all values are small, so that
 * calls end.
 */
export type Size = 'any' | 'small' | 'tiny'

export interface InputParts {
  plan: Plan
  realm: CodeRealm
  createPrimitives: typeof createPrimitives
  codeTexts: CodeTexts
  createCopies: typeof createCopies
  createCycles: typeof createCycles
  createContainers: typeof createContainers
  createArguments: typeof createArguments
  mutations: Mutations
  rngOf: (start: number) => Rng
  /** A stand-in for a function of this shape. */
  functionOf: (shape: PlainShape, name: string) => any
  /** A stand-in for a value of unknown shape. */
  anything: (name: string) => any
}

export interface Inputs {
  pick: (list: readonly any[], rng: Rng) => any
  make: (shape: PlainShape, rng: Rng, name: string, depth?: number) => any
  /** The arguments of one call; `isRest` says that the last shape is repeated. */
  makeAll: (shapes: readonly PlainShape[], isRest: boolean, seed: number) => any[]
  /** The arguments of one of many successive calls: small values, which coincide more often. */
  makeStep: (shapes: readonly PlainShape[], isRest: boolean, seed: number) => any[]
  /** Forgets the values that were given before. */
  reset: (mode: Mode, size: Size, isFilled: boolean) => void
  /** Whether a value contradicts what the code's use of it suggests. */
  isMistyped: () => boolean
  /** Whether an array with a hole was made since the last reset. */
  hasHoles: () => boolean
}

/**
 * Runs inside the sandbox, in the harness's own realm. It must not refer to anything outside itself. It
 * creates values of the code's realm from shapes, with functions that the code cannot change.
 */
export function createInputs(parts: InputParts): Inputs {
  'use strict'
  const { plan, realm, rngOf, mutations, codeTexts } = parts
  const state: InputState = {
    mode: 'usual',
    isSmall: false,
    isTiny: false,
    isFilled: false,
    // More than a function of QuickJS takes as arguments, and about as many as Node.js allows.
    longLength: 66_000,
    seen: [],
    made: 0,
    holes: 0,
    answer: null,
    rows: null
  }
  /** Every new value searches all of them. */
  const maxSeen = 100
  let isMistyped = false
  const primitives = parts.createPrimitives({
    plan,
    seen: () => state.seen,
    isWild: () => state.mode === 'wild' || state.mode === 'deep',
    isSmall: () => state.isSmall,
    codeText: (rng) => codeTexts.textOf(rng, state.seen)
  })
  const { pick, numberOf, textOf } = primitives
  const { containerOf, similar, isUnknown } = parts.createContainers({
    plan,
    realm,
    state,
    mutations,
    primitives,
    copies: parts.createCopies(realm),
    codeTexts,
    rngOf,
    make: (shape, rng, name, depth) => make(shape, rng, name, depth)
  })
  const { makeAll, reset: resetArguments } = parts.createArguments({
    state,
    mutations,
    rngOf,
    addCycle: parts.createCycles(realm),
    similar,
    isUnknown,
    make: (shape, rng, name) => make(shape, rng, name)
  })
  const documents = ['{}', '[]', '{"a": 1, "name": "x"}', '[1, 2, 3]', '"text"', '5', 'null', '{broken', '']
  const patterns = [
    ['a', ''],
    ['^\\d+$', ''],
    ['x', 'g'],
    ['[a-z]+', 'gi']
  ]
  const startMs = 1_700_000_000_000
  /** Any value that a caller could pass, if the code does not restrict it. */
  function kindOfAnything(rng: Rng, depth: number): string {
    const chance = rng()
    if (depth > 1 || chance < 0.6) return pick(['number', 'string', 'number', 'string', 'boolean'], rng)
    if (chance < 0.75) return 'array'
    if (chance < 0.88) return 'dict'
    return pick(['nothing', 'nothing', 'date', 'regexp', 'map', 'set', 'error', 'function'], rng)
  }

  function make(shape: PlainShape, rng: Rng, name: string, depth = 0): any {
    return mutations.valueOf(drawn(shape, rng, name, depth), shape, name)
  }

  function drawn(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    if (shape.isNullable === true && rng() < 0.18) {
      const isOpen = shape.isGuess === true && shape.props === undefined && !shape.kinds.includes('array')
      return isOpen && rng() < 0.4 ? pick([0, '', false, NaN], rng) : rng() < 0.5 ? null : undefined
    }
    if (shape.isExact === true) return pick(shape.values ?? [], rng)
    let kinds: readonly string[] = shape.kinds
    if (kinds.includes('nan')) {
      if (rng() < 0.12) return pick([NaN, NaN, Infinity, -Infinity], rng)
      kinds = kinds.filter((kind) => kind !== 'nan')
    }
    if (kinds.length === 0) {
      if (name.endsWith(')')) {
        // A callback of unknown shape may return nothing.
        const isEmpty = /^arg\d+\(\)$/.test(name) && rng() < 0.2
        if (isEmpty) return pick([undefined, undefined, null], rng)
        if (state.answer === null || !name.startsWith('arg')) return parts.anything(name)
        if (state.answer === 'number' && rng() < 0.12) return NaN
      }
      kinds = [name.endsWith(')') ? state.answer! : kindOfAnything(rng, depth)]
    }
    const kind = pick(kinds, rng)
    if (kind === 'number' || kind === 'string') {
      if (shape.isGuess === true && state.mode !== 'long' && rng() < 0.05) {
        isMistyped = true
        return primitives.otherThan(kind, rng)
      }
      // Reusing earlier values makes two parameters coincide.
      if (state.seen.length > 0 && rng() < 0.3) {
        const { seen } = state
        const alike: any[] = []
        // Without a call for each of them: this happens at every third value.
        // eslint-disable-next-line valid-typeof
        for (let at = 0; at < seen.length; at++) if (typeof seen[at] === kind) alike.push(seen[at])
        if (alike.length > 0) {
          const value = pick(alike, rng)
          if (typeof value === 'string') return rng() < 0.15 ? codeTexts.swapCase(value) : value
          return value === 0 && rng() < 0.3 ? -value : value
        }
      }
    }
    const value = fresh(kind, shape, rng, name, depth)
    const isKept = (typeof value === 'number' || typeof value === 'string') && state.seen.length < maxSeen
    if (isKept) state.seen.push(value)
    return value
  }

  function fresh(kind: string, shape: PlainShape, rng: Rng, name: string, depth: number): any {
    state.made++
    if (depth > 9) return null
    switch (kind) {
      case 'number': {
        const number = numberOf(shape, rng)
        return state.isTiny && Math.abs(number) > 100 ? number % 100 : number
      }
      case 'string': {
        const text = textOf(shape, rng)
        return state.mode === 'long' && depth === 0 && text !== '' && rng() < 0.7
          ? text.repeat(Math.ceil(state.longLength / text.length))
          : text
      }
      case 'boolean':
        return rng() < 0.5
      case 'bigint': {
        const number = Math.trunc(numberOf(shape, rng))
        return Number.isFinite(number) ? BigInt(number) : 0n
      }
      case 'array':
      case 'object':
      case 'dict':
      case 'map':
      case 'set':
        return containerOf(kind, shape, rng, name, depth)
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

  return {
    pick,
    make,
    makeAll: (shapes, isRest, seed) => {
      // Apart from the arguments, which stay the same.
      state.answer = pick(['number', 'number', 'string', null, null, null, null], rngOf(seed ^ 0x5bd1e995))
      return makeAll(shapes, isRest, seed)
    },
    makeStep: (shapes, isRest, seed) => {
      state.isSmall = true
      // Once is enough: only the first call gets a deeply nested argument.
      if (state.mode === 'deep') state.mode = 'usual'
      return makeAll(shapes, isRest, seed)
    },
    reset: (mode, size, isFilled) => {
      resetArguments()
      mutations.reset()
      isMistyped = false
      Object.assign(state, {
        mode,
        isSmall: size !== 'any',
        isTiny: size === 'tiny',
        isFilled,
        seen: [],
        made: 0,
        holes: 0,
        answer: null,
        rows: null
      })
    },
    isMistyped: () => isMistyped,
    hasHoles: () => state.holes > 0
  }
}
