import type { CodeRealm, Hook } from './code-realm.js'
import type { Inputs } from './inputs.js'
import type { Rng } from './plan.js'
import type { PlainShape } from './shape.js'

export interface StandInParts {
  realm: CodeRealm
  show: (value: any) => string
  inputs: () => Inputs
  seed: () => number
  rngOf: (start: number) => Rng
  hashOf: (text: string) => number
  names: WeakMap<object, string>
  labels: WeakMap<object, string>
  /** Errors that are meant: the code did not fall over its input. */
  explicit: WeakSet<object>
  /** After these a stand-in fails, and the run does not count. */
  maxCalls: number
  /** Notes a call; the number of calls so far. */
  note: (call: string) => number
  /** A function of the code that somebody was given to call. */
  onGiven: (fn: any, callWith: () => any[]) => void
  isLoading: () => boolean
  /** Lets a function that is being called act on the object that calls it. */
  reenter: (fn: any, rng: Rng) => void
  /** In a run with long arrays nothing fails, so that every version makes all its calls. */
  isLong: () => boolean
}

export interface StandIns {
  /**
   * A stand-in for a function: it notes its calls, and what it gives depends on the run and on how often it
   * was asked.
   */
  functionOf: (shape: PlainShape, name: string) => any
  /** A stand-in for something that nothing is known of. */
  anything: (name: string) => any
  /** A stand-in with the known parts, and with something for every other one that is asked for. */
  withRest: (value: any, name: string) => any
  /** The values of a list of the code, without asking its methods. */
  listFrom: (list: ArrayLike<any>) => any[]
  reset: () => void
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createStandIns(parts: StandInParts): StandIns {
  'use strict'
  const { realm, show, rngOf, hashOf, names, labels } = parts
  let counts = new Map<string, number>()

  const listFrom = (list: ArrayLike<any>): any[] => {
    const copy: any[] = []
    for (let at = 0; at < list.length; at++) copy.push(list[at])
    return copy
  }

  /** A trap that the code ran out of stack or memory in may not have noted what it should. */
  const guarded =
    <Trap extends (...args: any[]) => any>(trap: Trap) =>
    (...args: Parameters<Trap>): ReturnType<Trap> => {
      let isDone = false
      try {
        const result = trap(...args)
        isDone = true
        return result
      } finally {
        if (!isDone) realm.state.isBroken = true
      }
    }

  function functionOf(shape: PlainShape, name: string): any {
    const target = realm.newFunction((args) => answer(shape, name, listFrom(args), target))
    for (const key of Object.keys(shape.props ?? {})) {
      const value = parts
        .inputs()
        .make(shape.props![key]!, rngOf(hashOf(name + key) ^ parts.seed()), `${name}.${key}`, 2)
      // Some names belong to functions and cannot be defined: then they stay what they are.
      Reflect.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
    }
    names.set(target, name)
    return target
  }

  function answer(shape: PlainShape, name: string, args: any[], own?: any): readonly [boolean, any] {
    const { make } = parts.inputs()
    const shown = args.map((each) => show(each)).join(', ')
    if (parts.note(`${name}(${shown})`) > parts.maxCalls) return [false, realm.newError('too many calls')]
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const rng = rngOf(hashOf(`${name} ${nth}`) ^ parts.seed())
    for (const fn of args) {
      if (typeof fn !== 'function' || names.has(fn)) continue
      parts.onGiven(fn, () =>
        (shape.callback ?? []).map((each, index) => make(each, rng, `${name}:${index}`, 1))
      )
    }
    if (own !== undefined && !parts.isLong()) {
      parts.reenter(own, rngOf(hashOf(`${name} acts ${nth}`) ^ parts.seed()))
    }
    const { result = { kinds: [] } } = shape
    const fails = !parts.isLoading() && !parts.isLong() && rng() < (result.isAwaited === true ? 0.12 : 0.05)
    const failure = realm.newError(`${name} failed`)
    if (fails) parts.explicit.add(failure)
    if (result.isAwaited === true) {
      const promise = realm.newPromise(fails, fails ? failure : make(result, rng, `${name}()`, 1))
      labels.set(promise, `${name}#${shown}`)
      return [true, promise]
    }
    return fails ? [false, failure] : [true, make(result, rng, `${name}()`, 1)]
  }

  function anything(name: string): any {
    const known = new Map<string, any>()
    const call =
      (as: string): Hook =>
      (args) =>
        answer({ kinds: [] }, as, listFrom(args))
    const [called, made] = [realm.newFunction(call(name)), realm.newFunction(call(`new ${name}`))]
    const proxy: any = new Proxy(realm.newFunction(call(name)), {
      get: guarded((_target: any, key: string | symbol) => {
        if (key === Symbol.toPrimitive) return realm.newFunction(() => [true, `<${name}>`])
        if (key === Symbol.iterator) return realm.newIterable(() => [true, anything(`${name}[0]`)])
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
        if (key === '__esModule') return true
        if (key === 'length') return 2
        if (key === 'prototype') return realm.objectPrototype
        if (!known.has(key)) known.set(key, anything(`${name}.${key}`))
        return known.get(key)
      }),
      set: guarded((_target: any, key: string | symbol, value: any) => {
        parts.note(`${name}.${String(key)} = ${show(value)}`)
        known.set(String(key), value)
        return true
      }),
      defineProperty: guarded((target: any, key: string | symbol, part: PropertyDescriptor) => {
        parts.note(`${name}.${String(key)} := ${show(part.value)}`)
        return Reflect.defineProperty(target, key, part)
      }),
      setPrototypeOf: () => false,
      has: () => true,
      apply: (_target, _self, args) => Reflect.apply(called, undefined, args),
      construct: (_target, args) => {
        const value = Reflect.apply(made, undefined, args)
        return value !== null && (typeof value === 'object' || typeof value === 'function')
          ? value
          : realm.newObject()
      }
    })
    names.set(proxy, name)
    return proxy
  }

  function withRest(value: any, name: string): any {
    if (
      value === null ||
      typeof value !== 'object' ||
      Reflect.getPrototypeOf(value) !== realm.objectPrototype
    ) {
      return value
    }
    const rest = anything(name)
    return new Proxy(value, {
      get: (target, key) =>
        Reflect.has(target, key) || typeof key === 'symbol' || key === 'then'
          ? target[key]
          : key === '__esModule'
            ? true
            : rest[key]
    })
  }

  return {
    functionOf,
    anything,
    withRest,
    listFrom,
    reset: () => {
      counts = new Map()
    }
  }
}
