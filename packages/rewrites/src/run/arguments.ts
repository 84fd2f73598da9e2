import type { Containers } from './containers.js'
import type { InputState } from './input-state.js'
import type { Mutations } from './mutations.js'
import type { Rng } from './plan.js'
import type { PlainShape } from './shape.js'

export interface ArgumentParts extends Pick<Containers, 'similar' | 'isUnknown'> {
  state: InputState
  mutations: Mutations
  rngOf: (start: number) => Rng
  addCycle: (value: any, rng: Rng) => void
  make: (shape: PlainShape, rng: Rng, name: string) => any
}

export interface Arguments {
  /** The arguments of one call; `isRest` says that the last shape is repeated. */
  makeAll: (shapes: readonly PlainShape[], isRest: boolean, seed: number) => any[]
  /** For a new run: forgets what the code was given. */
  reset: () => void
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createArguments(parts: ArgumentParts): Arguments {
  'use strict'
  const { state, mutations, rngOf, make, similar, isUnknown, addCycle } = parts
  /** Objects and functions that the code was given in this run. */
  let given: Array<{ shape: PlainShape; value: any }> = []
  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]

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
    if (chance < 0.05 && state.holes === 0) {
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
    mutations.beginCall(seed)
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
    const before = state.seen
    for (let step = 0; step < wanted.length; step++) {
      const index = isBackward ? wanted.length - 1 - step : step
      if (isTwin) state.seen = []
      const own = rngOf(seeds[index]!)
      args[index] = givenBefore(wanted[index]!, own) ?? make(wanted[index]!, own, `arg${index}`)
    }
    if (isTwin) state.seen = [...before, ...state.seen]
    if (isPaired && !isTwin && fits(wanted[from]!, wanted[to]!) && state.mode !== 'long') {
      if (typeof args[from] === 'number' && rng() < 0.2) args[from] = pick([0, -0], rng)
      const value = args[from]
      const isNew = !given.some((each) => each.value === value)
      // The same thing twice, or something that is almost equal to it.
      args[to] = how < 0.35 ? value : isNew ? similar(value, wanted[from]!, rng) : args[to]
    }
    for (const [index, value] of args.entries()) {
      if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
        given.push({ shape: wanted[index]!, value })
      }
    }
    if (mutations.isCyclic()) {
      for (const value of args) addCycle(value, rngOf(seed ^ mutations.seed()))
    }
    // Trailing arguments that are not there differ from those that are undefined.
    while (args.length > 0 && args.at(-1) === undefined) args.pop()
    if (state.mode !== 'long') otherCount(args, shapes, isRest, rng)
    return args
  }

  return {
    makeAll,
    reset: () => {
      given = []
    }
  }
}
