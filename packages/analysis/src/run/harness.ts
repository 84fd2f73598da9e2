import type { PlainShape } from './shape.js'

export interface Plan {
  /** Functions and classes, in the order in which they run. */
  targets: PlannedTarget[]
  free: Record<string, PlainShape>
  modules: Record<string, PlainShape>
  /** Literals of the code. */
  mined: { numbers: number[]; texts: string[] }
}

export interface PlannedTarget {
  /** Where it is found once the module has run. */
  access: string
  params: PlainShape[]
  /** Of a class: its public methods. */
  methods?: Array<{ name: string; params: PlainShape[] }>
}

/** What one call did, as text, so that two of them can be compared. */
export interface Outcome {
  end: string
  /** It fell over its input: nobody says what should happen then. */
  isCrash: boolean
  args: string
  calls: string[]
  awaited: string[]
}

/**
 * Runs inside the sandbox: its text is evaluated there, so nothing outside it may be named. It makes inputs
 * and stand-ins from shapes, calls, and writes down what happened.
 */
/* eslint-disable new-cap, valid-typeof */
export function harness(
  plan: Plan,
  load: (scope: object, module: object, require: (name: string) => unknown) => Record<string, any>
): Record<string, (...args: any[]) => any> {
  type Rng = () => number
  const NativeError = Error
  const NativeTypeError = TypeError
  const NativeReferenceError = ReferenceError
  const NativeDate = Date
  const explicit = new WeakSet<object>()
  let calls: string[] = []
  let awaited: string[] = []
  let seen: any[] = []
  let counts = new Map<string, number>()
  let timers: Array<{ at: number; fn: () => void }> = []
  let now = 0
  let seed = 1
  let random: Rng = rngOf(1)
  let isOver = true
  const registered: any[] = []
  let isLoading = true

  function rngOf(start: number): Rng {
    let state = (start * 2654435761) >>> 0
    return () => {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = state
      mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
    }
  }
  const hashOf = (text: string): number => {
    let hash = 2166136261
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
    }
    return hash >>> 0
  }
  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]

  // Errors that the code makes on purpose are told from those of the engine.
  for (const name of [
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'ReferenceError',
    'URIError',
    'EvalError'
  ]) {
    const Native: any = (globalThis as any)[name]
    const Marked = new Proxy(Native, {
      construct(target, args, newTarget) {
        const error: any = Reflect.construct(target, args, newTarget)
        explicit.add(error)
        return error
      },
      apply(target, _self, args) {
        const error: any = Reflect.construct(target, args)
        explicit.add(error)
        return error
      }
    })
    ;(globalThis as any)[name] = Marked
    Native.prototype.constructor = Marked
  }

  const startMs = 1_700_000_000_000
  class FixedDate extends NativeDate {
    constructor(...args: any[]) {
      if (args.length === 0) super(startMs + now)
      else super(...(args as [number]))
    }

    static override now(): number {
      return startMs + now
    }
  }
  ;(globalThis as any).Date = FixedDate
  Math.random = () => random()

  function timer(name: string) {
    return (fn: any, ms: any = 0, ...args: any[]): number => {
      calls.push(`${name}(${ms})`)
      if (typeof fn === 'function' && timers.length < 50) {
        timers.push({ at: now + (Number(ms) || 0), fn: () => fn(...args) })
      }
      return calls.length
    }
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) (globalThis as any)[name] = timer(name)
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    ;(globalThis as any)[name] = () => {
      calls.push(name)
    }
  }
  ;(globalThis as any).queueMicrotask ??= (fn: () => void) => {
    void Promise.resolve().then(fn)
  }

  /** A promise that notes that somebody waits for it. */
  class Watched extends Promise<any> {
    label?: string
    override then(onValue?: any, onError?: any): any {
      if (this.label !== undefined) {
        awaited.push(this.label)
        delete this.label
      }
      return super.then(onValue, onError)
    }

    static override get [Symbol.species]() {
      return Promise
    }
  }

  function show(value: any, depth = 0, path: any[] = []): string {
    if (value === null) return 'null'
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value)
      case 'number':
        return Object.is(value, -0) ? '0' : String(value)
      case 'bigint':
        return `${value}n`
      case 'undefined':
      case 'boolean':
        return String(value)
      case 'symbol':
        return value.toString()
      default:
    }
    const name = names.get(value)
    if (name !== undefined && typeof value === 'function') return `<${name}>`
    if (path.includes(value)) return '<again>'
    if (depth > 12) return '<deep>'
    const deeper = (each: any): string => show(each, depth + 1, [...path, value])
    if (typeof value === 'function') return '<function>'
    if (value instanceof NativeError) return `${value.name}: ${value.message}`
    if (value instanceof Watched && value.label !== undefined) return `<promise of ${value.label}>`
    if (value instanceof Promise) return '<promise>'
    if (value instanceof NativeDate) return `Date ${value.getTime()}`
    if (value instanceof RegExp) return String(value)
    if (Array.isArray(value)) return `[${Array.from(value, deeper).join(', ')}]`
    if (value instanceof Map) {
      return `Map {${[...value].map(([key, each]) => `${deeper(key)} => ${deeper(each)}`).join(', ')}}`
    }
    if (value instanceof Set) return `Set {${[...value].map(deeper).join(', ')}}`
    if (value instanceof WeakMap || value instanceof WeakSet) return '<weak>'
    if (ArrayBuffer.isView(value)) return `bytes [${Array.from(value as Uint8Array).join(', ')}]`
    const keys = Object.keys(value).sort()
    const type = Object.getPrototypeOf(value)?.constructor?.name
    return `${type === undefined || type === 'Object' ? '' : `${type} `}{${keys.map((key) => `${key}: ${deeper(value[key])}`).join(', ')}}`
  }
  const names = new WeakMap<object, string>()

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

  function listOf(shape: PlainShape, rng: Rng, name: string, depth: number): any[] {
    const length = pick(depth > 2 ? [0, 1, 2] : [0, 1, 2, 3, 3, 4, 5, 6, 9], rng)
    const list = Array.from({ length }, (_, index) =>
      make(
        shape.element ?? { kinds: [pick(['number', 'string'], rngOf(seed))] },
        rng,
        `${name}[${index}]`,
        depth + 1
      )
    )
    if (list.length > 1 && rng() < 0.3) list[list.length - 1] = list[0]
    if (rng() < 0.3 && list.every((each) => typeof each === 'number')) list.sort((a, b) => a - b)
    return list
  }

  function objectOf(shape: PlainShape, rng: Rng, name: string, depth: number): any {
    const object: Record<string, any> = {}
    for (const key of Object.keys(shape.props ?? {})) {
      object[key] = make(shape.props![key]!, rng, name === '' ? key : `${name}.${key}`, depth + 1)
    }
    return object
  }

  /**
   * A stand-in for a function: it notes its calls, and what it gives depends on the run and on how often it
   * was asked.
   */
  function functionOf(shape: PlainShape, name: string): any {
    const target = function (this: any, ...args: any[]) {
      return answer(shape, name, args)
    }
    for (const key of Object.keys(shape.props ?? {})) {
      try {
        ;(target as any)[key] = make(
          shape.props![key]!,
          rngOf(hashOf(name + key) ^ seed),
          `${name}.${key}`,
          2
        )
      } catch {
        /* a name that functions have */
      }
    }
    names.set(target, name)
    return target
  }

  function answer(shape: PlainShape, name: string, args: any[]): any {
    calls.push(`${name}(${args.map((each) => show(each)).join(', ')})`)
    if (calls.length > 2_000) throw new NativeError('too many calls')
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const rng = rngOf(hashOf(`${name} ${nth}`) ^ seed)
    const given = args.filter((each) => typeof each === 'function' && !names.has(each))
    if (isLoading) registered.push(...given)
    else {
      for (const fn of given) {
        timers.push({
          at: now,
          fn: () => fn(...(shape.callback ?? []).map((each, index) => make(each, rng, `${name}:${index}`, 1)))
        })
      }
    }
    const { result = { kinds: [] } } = shape
    const fails = !isLoading && rng() < (result.isAwaited === true ? 0.12 : 0.05)
    const failure = new NativeError(`${name} failed`)
    if (fails) explicit.add(failure)
    if (result.isAwaited === true) {
      const promise: Watched = fails
        ? (Watched.reject(failure) as Watched)
        : (Watched.resolve(make(result, rng, `${name}()`, 1)) as Watched)
      void Promise.prototype.then.call(promise, undefined, () => {})
      promise.label = `${name}#${args.map((each) => show(each)).join(', ')}`
      return promise
    }
    if (fails) throw failure
    return make(result, rng, `${name}()`, 1)
  }

  /** A stand-in for something that nothing is known of. */
  function anything(name: string): any {
    const known = new Map<string, any>()
    const target = function () {}
    const proxy: any = new Proxy(target, {
      get(_target, key) {
        if (key === Symbol.toPrimitive) return () => `<${name}>`
        if (key === Symbol.iterator) {
          return function* () {
            yield anything(`${name}[0]`)
          }
        }
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
        if (key === '__esModule') return true
        if (key === 'length') return 2
        if (key === 'prototype') return Object.prototype
        if (!known.has(key)) known.set(key, anything(`${name}.${key}`))
        return known.get(key)
      },
      set: (_target, key, value) => {
        calls.push(`${name}.${String(key)} = ${show(value)}`)
        known.set(String(key), value)
        return true
      },
      has: () => true,
      apply: (_target, _self, args) => answer({ kinds: [] }, name, args),
      construct: (_target, args) => Object(answer({ kinds: [] }, `new ${name}`, args))
    })
    names.set(proxy, name)
    return proxy
  }

  function make(shape: PlainShape, rng: Rng, name: string, depth = 0): any {
    if (shape.isNullable === true && rng() < 0.18) return rng() < 0.5 ? null : undefined
    if (shape.isExact === true) return pick(shape.values ?? [], rng)
    const kinds = shape.kinds.filter((kind) => kind !== 'nan')
    if (shape.kinds.includes('nan') && rng() < 0.12) return pick([NaN, Infinity, -Infinity], rng)
    if (kinds.length === 0) {
      if (name.endsWith(')')) return anything(name)
      kinds.push(pick(['number', 'string', 'number', 'string', 'boolean', 'array'], rng))
    }
    // Values that were seen before let two parameters meet.
    const kind = pick(kinds, rng)
    if ((kind === 'number' || kind === 'string') && seen.length > 0 && rng() < 0.3) {
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
        return listOf(shape, rng, name, depth)
      case 'object':
        return objectOf(shape, rng, name, depth)
      case 'dict': {
        const keys = [...plan.mined.texts.slice(0, 3), 'a', 'b', 'key', 'x y'].filter(() => rng() < 0.5)
        const own = objectOf(shape, rng, name, depth)
        for (const key of keys) {
          own[key] ??= make(
            shape.element ?? { kinds: ['number', 'string'] },
            rng,
            `${name}.${key}`,
            depth + 1
          )
        }
        return own
      }
      case 'map':
        return new Map(
          listOf({ kinds: [], element: { kinds: ['string'] } }, rng, name, depth).map((key) => [
            key,
            make(shape.element ?? { kinds: ['number'] }, rng, name, depth + 1)
          ])
        )
      case 'set':
        return new Set(listOf(shape, rng, name, depth))
      case 'date':
        return new NativeDate(startMs + Math.floor((rng() - 0.5) * 4e10))
      case 'function':
        return functionOf(shape, name)
      case 'regexp':
        return pick([/a/, /^\d+$/, /x/g], rng)
      case 'error':
        return new NativeError(pick(['failed', 'missing', ''], rng))
      case 'json':
        return pick(documents, rng)
      default:
        return anything(name)
    }
  }

  function isCrash(error: any): boolean {
    return (error instanceof NativeTypeError || error instanceof NativeReferenceError) && !explicit.has(error)
  }

  function endOf(kind: string, value: any): string {
    if (kind === 'throws' && value instanceof NativeError) {
      return `${kind} ${value.name}: ${isCrash(value) ? '' : value.message}`
    }
    return `${kind} ${show(value)}`
  }

  // Names that nobody declares.
  const freeNames = new Map<string, any>()
  const scope = new Proxy(
    {},
    {
      has: (_target, key) =>
        typeof key === 'string' && !(key in globalThis) && key !== 'require' && key !== 'module',
      get: (_target, key) => {
        if (typeof key === 'symbol') return undefined
        if (!freeNames.has(key)) {
          const shape = plan.free[key]
          freeNames.set(
            key,
            shape === undefined || shape.kinds.length === 0
              ? anything(key)
              : withRest(
                  make({ ...shape, isNullable: undefined } as any, rngOf(hashOf(key) ^ seed), key),
                  key
                )
          )
        }
        return freeNames.get(key)
      },
      set: (_target, key, value) => {
        freeNames.set(String(key), value)
        return true
      }
    }
  )

  /** A stand-in with the known parts, and with something for every other one that is asked for. */
  function withRest(value: any, name: string): any {
    if (
      value === null ||
      typeof value !== 'object' ||
      Array.isArray(value) ||
      Object.getPrototypeOf(value) !== Object.prototype
    ) {
      return value
    }
    const rest = anything(name)
    const proxy = new Proxy(value, {
      get: (target, key) =>
        key in target || typeof key === 'symbol' || key === 'then'
          ? target[key]
          : key === '__esModule'
            ? true
            : rest[key]
    })
    return proxy
  }

  const required = new Map<string, any>()
  function requireModule(name: string): any {
    if (!required.has(name)) {
      const shape = plan.modules[name]
      const from = name.replace(/^node:/, '')
      required.set(
        name,
        shape === undefined || shape.props === undefined
          ? anything(from)
          : withRest(modulesOf(shape, from), from)
      )
    }
    return required.get(name)
  }

  /** A module's parts stay what they are over all runs. */
  function modulesOf(shape: PlainShape, name: string): any {
    const parts: Record<string, any> = {}
    for (const [key, part] of Object.entries(shape.props ?? {})) {
      const label = `${name}.${key}`
      parts[key] =
        part.kinds.length === 0
          ? anything(label)
          : withRest(make({ ...part, isNullable: undefined } as any, rngOf(hashOf(label)), label), label)
    }
    return parts
  }

  const module = { exports: {} as any }
  let found: Record<string, any> = {}
  let result: Pick<Outcome, 'end' | 'isCrash' | 'args'> | null = null
  /** Of a function that has returned: what it did later belongs to its outcome. */
  let held: (() => void) | null = null

  function resolve(access: string): any {
    const handler = /^#(\d+)$/.exec(access)
    if (handler !== null) return registered[Number(handler[1])]
    let current: any = access.startsWith('module.') ? { module } : found
    for (const part of access.split('.')) current = current?.[part]
    return current
  }

  function begin(target: number, run: number): void {
    calls = []
    awaited = []
    seen = []
    counts = new Map()
    timers = []
    now = 0
    seed = hashOf(`${plan.targets[target]!.access.replace(/^module\.exports\.?/, '')} ${run}`)
    random = rngOf(seed ^ 7)
    freeNames.clear()
    isOver = false
  }

  function finish(end: string, crashed: boolean, args: any[]): void {
    if (isOver) return
    isOver = true
    result = { end, isCrash: crashed, args: show(args) }
  }

  /** What a caller can see of a result: what an iterator gives, what a returned function does. */
  function look(value: any, rng: Rng): any {
    if (typeof value === 'function' && !names.has(value)) {
      return [
        'function',
        ...[0, 1, 2].map((nth) => {
          try {
            return look(
              value(
                ...Array.from({ length: Math.max(1, value.length) }, (_, index) =>
                  make({ kinds: ['number', 'string'] }, rng, `given${nth}.${index}`)
                )
              ),
              rng
            )
          } catch (error) {
            return endOf('throws', error)
          }
        })
      ]
    }
    if (
      value !== null &&
      typeof value === 'object' &&
      typeof value.next === 'function' &&
      typeof value[Symbol.iterator] === 'function'
    ) {
      const list: any[] = []
      for (const each of value) {
        list.push(each)
        if (list.length >= 60) break
      }
      return ['iterator', ...list]
    }
    return value
  }

  function callAll(planned: PlannedTarget, rng: Rng, args: any[]): any {
    const target = resolve(planned.access)
    if (planned.methods === undefined) return look(target(...args), rng)
    const object = new target(...args)
    const results: any[] = []
    for (let step = 0; step < 5 && planned.methods.length > 0; step++) {
      const { name, params }: { name: string; params: PlainShape[] } = pick(planned.methods, rng)
      const given = params.map((shape, index) => make(shape, rng, `arg${step}.${index}`))
      try {
        results.push([
          name,
          look(typeof object[name] === 'function' ? object[name](...given) : object[name], rng)
        ])
      } catch (error) {
        results.push([name, endOf('throws', error)])
      }
    }
    return results.some(([, value]) => value instanceof Promise)
      ? Promise.all(
          results.map(([name, value]) =>
            Promise.resolve(value).then(
              (each) => [name, each],
              (error) => [name, endOf('throws', error)]
            )
          )
        )
      : results
  }

  return {
    load: () => {
      calls = []
      found = load(scope, module, requireModule)
      isLoading = false
      return JSON.stringify(calls)
    },
    has: (target: number) => typeof resolve(plan.targets[target]!.access) === 'function',
    begin: (target: number, run: number) => {
      begin(target, run)
      const planned = plan.targets[target]!
      const rng = rngOf(seed)
      const args = planned.params.map((shape, index) => make(shape, rng, `arg${index}`))
      // Trailing arguments that are not there differ from those that are undefined.
      while (args.length > 0 && args.at(-1) === undefined) args.pop()
      result = null
      held = null
      try {
        const value = callAll(planned, rng, args)
        if (value !== null && typeof value === 'object' && typeof value.then === 'function') {
          value.then(
            (each: any) => finish(endOf('resolves to', look(each, rng)), false, args),
            (error: any) => finish(endOf('rejects with', error), isCrash(error), args)
          )
        } else if (
          value !== null &&
          typeof value === 'object' &&
          typeof value[Symbol.asyncIterator] === 'function' &&
          !names.has(value)
        ) {
          void (async () => {
            const list: any[] = []
            try {
              for await (const each of value) {
                list.push(each)
                if (list.length >= 60) break
              }
              finish(endOf('yields', list), false, args)
            } catch (error) {
              finish(endOf('throws', error), isCrash(error), args)
            }
          })()
        } else held = () => finish(endOf('returns', value), false, args)
      } catch (error) {
        held = () => finish(endOf('throws', error), isCrash(error), args)
      }
    },
    /** Lets the next timer come; false when there is none. */
    tick: () => {
      timers.sort((a, b) => a.at - b.at)
      const next = timers.shift()
      if (next === undefined) return false
      now = Math.max(now, next.at)
      try {
        next.fn()
      } catch (error) {
        calls.push(endOf('throws', error))
      }
      return true
    },
    outcome: () => {
      held?.()
      held = null
      finish('goes on', false, [])
      return JSON.stringify({ ...result, calls, awaited: [...awaited].sort() })
    }
  }
}
