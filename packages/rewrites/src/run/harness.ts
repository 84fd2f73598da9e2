import type { CodeRealm, Probes } from './code-realm.js'
import type { createCodeTexts } from './code-texts.js'
import type { createCopies } from './copies.js'
import type { createInputs, Mode } from './inputs.js'
import type { createLook } from './look.js'
import type { Outcome, Plan, PlannedTarget, Rng } from './plan.js'
import type { createPrimitives } from './primitives.js'
import type { PlainShape } from './shape.js'
import type { createShow } from './show.js'
import type { createStandIns } from './stand-ins.js'

/** The other parts of the harness: their texts are evaluated beside it. */
export interface HarnessParts {
  createCodeTexts: typeof createCodeTexts
  createCopies: typeof createCopies
  createInputs: typeof createInputs
  createLook: typeof createLook
  createPrimitives: typeof createPrimitives
  createShow: typeof createShow
  createStandIns: typeof createStandIns
}

export interface Harness {
  load: () => string
  has: (target: number) => boolean
  /** Makes the arguments of a run: 0 for usual ones, 1 for wild ones, 2 for long ones. */
  prepare: (target: number, run: number, kind: number) => void
  call: () => void
  /** Changes the result and calls once more with equal arguments; false where there is nothing to change. */
  again: () => boolean
  /** Lets the next timer come; false when there is none. */
  tick: () => boolean
  outcome: () => string
  /** Numbers of the probes that were reached since the last run that counted, as JSON. */
  reached: () => string
}

type Load = (
  scope: object,
  module: object,
  require: (name: string) => unknown,
  probes: Probes
) => Record<string, any>

/**
 * Runs inside the sandbox, in a realm of its own: its text is evaluated there, so nothing outside it may be
 * named. It makes inputs and stand-ins from shapes, calls the code, which lives in another realm, and writes
 * down what happened. Whatever the code changes in its realm, nothing changes in this one.
 */
export function harness(parts: HarnessParts, planText: string, realm: CodeRealm, loadCode: Load): Harness {
  'use strict'
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  const plan = JSON.parse(planText) as Plan
  const nativeThen = Promise.prototype.then
  const names = new WeakMap<object, string>()
  const labels = new WeakMap<object, string>()
  const explicit = new WeakSet<object>()
  const proxies = new WeakSet<object>()
  const registered: any[] = []
  const freeNames = new Map<string, any>()
  let calls: string[] = []
  let awaited: string[] = []
  let timers: Array<{ at: number; fn: () => void }> = []
  let now = 0
  let seed = 1
  let isOver = true
  /** The run that is under way. */
  let current: { planned: PlannedTarget; seed: number; mode: Mode; args: any[]; isTwice: boolean } | null =
    null
  const maxCalls = 2_000
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
  let random: Rng = rngOf(1)
  const note = (call: string): number => calls.push(call)

  const { show, errorKind, describeError } = parts.createShow({ realm, names, labels, proxies })
  const standIns = parts.createStandIns({
    realm,
    show,
    inputs: () => inputs,
    seed: () => seed,
    rngOf,
    hashOf,
    names,
    labels,
    explicit,
    note,
    maxCalls,
    isLong: () => current?.mode === 'long',
    onGiven: (fn, callWith) => {
      if (isLoading) registered.push(fn)
      else timers.push({ at: now, fn: () => fn(...callWith()) })
    },
    isLoading: () => isLoading
  })
  const { anything, withRest, listFrom } = standIns
  const inputs = parts.createInputs({
    plan,
    realm,
    seed: () => seed,
    rngOf,
    createPrimitives: parts.createPrimitives,
    createCodeTexts: parts.createCodeTexts,
    createCopies: parts.createCopies,
    functionOf: standIns.functionOf,
    anything
  })
  const { make } = inputs

  function timer(name: string) {
    return (given: ArrayLike<any>): readonly [boolean, any] => {
      const [fn, ms = 0, ...args] = listFrom(given)
      const wait = typeof ms === 'number' || typeof ms === 'string' ? Number(ms) || 0 : 0
      note(`${name}(${show(ms)})`)
      if (typeof fn === 'function' && timers.length < 50) {
        timers.push({ at: now + wait, fn: () => fn(...args) })
      }
      return [true, calls.length]
    }
  }
  const startMs = 1_700_000_000_000
  realm.install({
    now: () => startMs + now,
    random: () => [true, random()],
    globals: {
      ...Object.fromEntries(['setTimeout', 'setInterval', 'setImmediate'].map((name) => [name, timer(name)])),
      ...Object.fromEntries(
        ['clearTimeout', 'clearInterval', 'clearImmediate'].map((name) => [
          name,
          () => [note(name) > 0, undefined] as const
        ])
      ),
      queueMicrotask: (given) => {
        const fn = given[0]
        void apply(nativeThen, Promise.resolve(), [() => fn()])
        return [true, undefined]
      }
    },
    onAwait: (promise) => {
      const label = labels.get(promise)
      if (label === undefined) return
      labels.delete(promise)
      awaited.push(label)
    },
    onError: (error) => explicit.add(error),
    onProxy: (proxy) => proxies.add(proxy)
  })

  const isObject = (value: any): boolean =>
    value !== null && (typeof value === 'object' || typeof value === 'function')

  function isCrash(error: any): boolean {
    const kind = errorKind(error)
    return (kind === 'TypeError' || kind === 'ReferenceError') && !explicit.has(error)
  }

  function endOf(kind: string, value: any): string {
    if (errorKind(value) === null) return `${kind} ${show(value)}`
    return kind === 'throws' && isCrash(value)
      ? `${kind} ${describeError(value)}: `
      : `${kind} ${show(value)}`
  }

  // Names that nobody declares.
  const scope = new Proxy(realm.newObject(), {
    has: (_target, key) =>
      typeof key === 'string' &&
      !Reflect.has(realm.global, key) &&
      key !== 'require' &&
      key !== 'module' &&
      !key.startsWith('__probes'),
    get: (_target, key) => {
      if (typeof key === 'symbol') return undefined
      if (!freeNames.has(key)) freeNames.set(key, freeValue(key))
      return freeNames.get(key)
    },
    set: (_target, key, value) => {
      freeNames.set(String(key), value)
      return true
    }
  })

  const sure = (shape: PlainShape): PlainShape => ({ ...shape, isNullable: undefined }) as any

  function freeValue(key: string): any {
    const shape = Object.hasOwn(plan.free, key) ? plan.free[key] : undefined
    return shape === undefined || shape.kinds.length === 0
      ? anything(key)
      : withRest(make(sure(shape), rngOf(hashOf(key) ^ seed), key), key)
  }

  const required = new Map<string, any>()
  function requireModule(name: string): any {
    if (!required.has(name)) {
      const shape = Object.hasOwn(plan.modules, name) ? plan.modules[name] : undefined
      const from = name.replace(/^node:/, '')
      required.set(name, shape?.props === undefined ? anything(from) : withRest(moduleOf(shape, from), from))
    }
    return required.get(name)
  }

  /** A module's parts stay what they are over all runs. */
  function moduleOf(shape: PlainShape, name: string): any {
    const module = realm.newObject()
    for (const [key, part] of Object.entries(shape.props ?? {})) {
      const label = `${name}.${key}`
      const value =
        part.kinds.length === 0
          ? anything(label)
          : withRest(make(sure(part), rngOf(hashOf(label)), label), label)
      defineProperty(module, key, { value, writable: true, enumerable: true, configurable: true })
    }
    return module
  }

  const module = realm.newObject()
  defineProperty(module, 'exports', {
    value: realm.newObject(),
    writable: true,
    enumerable: true,
    configurable: true
  })
  let found: Record<string, any> = {}
  let result: Omit<Outcome, 'calls' | 'awaited' | 'again'> | null = null
  /** Of a function that has returned: what it did later belongs to its outcome. */
  let held: (() => void) | null = null
  let returned: any
  let first: Omit<Outcome, 'calls' | 'awaited' | 'again'> | null = null
  let changed = ''
  const { kept } = realm
  const probes = realm.newProbes(plan.probes)
  const reached = new Set<number>()

  /** Those that no run before has reached. */
  function newlyReached(): number[] {
    const added: number[] = []
    const next = (from: number): number => apply(Uint8Array.prototype.indexOf, probes, [1, from])
    for (let probe = next(0); probe >= 0; probe = next(probe + 1)) {
      if (!reached.has(probe)) added.push(probe)
      reached.add(probe)
    }
    return added
  }

  function resolve(access: string): any {
    const handler = /^#(\d+)$/.exec(access)
    if (handler !== null) return registered[Number(handler[1])]
    if (access.startsWith('^')) return kept[access]
    let current: any = access.startsWith('module.') ? { module } : found
    for (const part of access.split('.')) current = current?.[part]
    return current
  }

  function finish(end: string, args: any[], error?: any): void {
    if (isOver) return
    isOver = true
    result = {
      end,
      isCrash: error !== undefined && isCrash(error),
      isLimit: error !== undefined && errorKind(error) === 'InternalError',
      isSpoilt: inputs.hasHoles() && /NaN|undefined|<empty>/.test(end + calls.join()),
      args: show(args)
    }
  }

  /** Changes everything that a caller could change in a result, each part once. */
  function change(value: any, seen: Set<any>): void {
    if (!isObject(value) || typeof value === 'function' || names.has(value) || proxies.has(value)) return
    if (seen.has(value) || seen.size > 200) return
    seen.add(value)
    const mark = `changed ${seen.size}`
    if (Array.isArray(value)) {
      for (let at = 0; at < Math.min(value.length, 50); at++) {
        change(getOwnPropertyDescriptor(value, at)?.value, seen)
      }
      defineProperty(value, value.length, {
        value: mark,
        writable: true,
        enumerable: true,
        configurable: true
      })
      return
    }
    try {
      apply(Map.prototype.forEach, value, [(each: any) => change(each, seen)])
      apply(Map.prototype.set, value, [mark, mark])
      return
    } catch {
      // It is not a map.
    }
    try {
      apply(Set.prototype.add, value, [mark])
      return
    } catch {
      // It is not a set.
    }
    const prototype = Reflect.getPrototypeOf(value)
    if (prototype !== null && prototype !== realm.objectPrototype) return
    for (const key of Object.keys(value)) change(getOwnPropertyDescriptor(value, key)?.value, seen)
    defineProperty(value, 'changed', { value: mark, writable: true, enumerable: true, configurable: true })
  }

  /**
   * Whether the value is a promise; then one of the two is called when it is settled. The promise is told
   * that its constructor is ours, because the code may have put another one, or another `then`, in its place.
   */
  function settles(value: any, onValue: (value: any) => void, onError: (error: any) => void): boolean {
    if (!isObject(value) || names.has(value)) return false
    const label = labels.get(value)
    if (!proxies.has(value)) {
      const own = getOwnPropertyDescriptor(value, 'constructor')
      const isTold = defineProperty(value, 'constructor', { value: Promise, configurable: true })
      try {
        void apply(nativeThen, value, [onValue, onError])
        if (!isTold) realm.state.isBroken = true
        if (label !== undefined) {
          labels.delete(value)
          awaited.push(label)
        }
        return true
      } catch {
        // It is none.
      } finally {
        if (isTold) {
          if (own === undefined) Reflect.deleteProperty(value, 'constructor')
          else defineProperty(value, 'constructor', own)
        }
      }
    }
    if (typeof value.then !== 'function') return false
    value.then(
      realm.newFunction((given) => [true, onValue(given[0])]),
      realm.newFunction((given) => [true, onError(given[0])])
    )
    return true
  }

  /** In a box, so that nothing asks the value whether it is a promise. */
  const settled = (value: any): Promise<{ value: any; isError: boolean }> =>
    new Promise((resolve) => {
      const isPromise = settles(
        value,
        (each) => resolve({ value: each, isError: false }),
        (error) => resolve({ value: error, isError: true })
      )
      if (!isPromise) resolve({ value, isError: false })
    })

  const {
    look,
    callMethods,
    reset: resetLook
  } = parts.createLook({
    realm,
    inputs: () => inputs,
    names,
    proxies,
    endOf,
    settles
  })

  function callAll(planned: PlannedTarget, rng: Rng, args: any[]): any {
    const target = resolve(planned.access)
    resetLook(planned, current!.mode === 'long')
    if (planned.methods !== undefined) {
      const Target = target
      return callMethods(new Target(...args), planned.methods, rng)
    }
    // Static methods and those of objects have their own `this`.
    const owner = /^[^^#].*\./.test(planned.access)
      ? resolve(planned.access.replace(/\.[^.]*$/, ''))
      : undefined
    returned = apply(target, owner, args)
    return look(returned, rng)
  }

  async function yielded(value: any, args: any[]): Promise<void> {
    const list: any[] = []
    const iterator = value[Symbol.asyncIterator]()
    while (list.length < 60) {
      const { value: step, isError } = await settled(iterator.next())
      if (isError) return finish(endOf('throws', step), args, step)
      if (!isObject(step) || step.done === true) break
      list.push(step.value)
    }
    finish(endOf('yields', list), args)
  }

  function receive(value: any, rng: Rng, args: any[]): void {
    const isPromise = settles(
      value,
      (each) => {
        returned = each
        const seen = look(each, rng)
        // What it does when it is called may come later.
        if (seen === each) finish(endOf('resolves to', each), args)
        else held = () => finish(endOf('resolves to', seen), args)
      },
      (error) => finish(endOf('rejects with', error), args, error)
    )
    if (isPromise) return
    if (isObject(value) && !names.has(value) && typeof value[Symbol.asyncIterator] === 'function') {
      void apply(nativeThen, yielded(value, args), [
        undefined,
        (error: any) => finish(endOf('throws', error), args, error)
      ])
      return
    }
    held = () => finish(endOf('returns', value), args)
  }

  function begin(): void {
    const { planned, seed: start, args } = current!
    const rng = rngOf(start)
    try {
      receive(callAll(planned, rng, args), rng, args)
    } catch (error) {
      held = () => finish(endOf('throws', error), args, error)
    }
  }

  return {
    load: () => {
      calls = []
      found = loadCode(
        scope,
        module,
        realm.newFunction((given) => [true, requireModule(String(given[0]))]),
        probes
      )
      isLoading = false
      return JSON.stringify(calls)
    },
    has: (target) => typeof resolve(plan.targets[target]!.access) === 'function',
    prepare: (target, run, kind) => {
      const planned = plan.targets[target]!
      calls = []
      awaited = []
      apply(Uint8Array.prototype.fill, probes, [0])
      standIns.reset()
      timers = []
      now = 0
      const name = planned.access.replace(/^module\.exports\.?/, '')
      seed = hashOf(`${name} ${run}`)
      random = rngOf(seed ^ 7)
      freeNames.clear()
      isOver = false
      result = null
      first = null
      changed = ''
      returned = undefined
      held = null
      realm.state.isBroken = false
      const mode: Mode = kind === 2 ? 'long' : kind === 1 ? 'wild' : 'usual'
      inputs.reset(mode, planned.methods !== undefined)
      const args = inputs.makeAll(planned.params, planned.isRest === true, seed)
      const isTwice = run % 3 === 0 && mode !== 'long' && planned.methods === undefined
      current = { planned, seed, mode, args, isTwice }
    },
    call: begin,
    again: () => {
      held?.()
      held = null
      if (!current!.isTwice || result === null || result.isLimit || !isObject(returned)) return false
      // Calls that may run at the same time are told by whether the first call failed.
      const isPure = result.end.startsWith('resolves') && calls.length === 0
      if (!isPure && !result.end.startsWith('returns')) return false
      const { planned, seed: start, mode, args } = current!
      current!.isTwice = false
      change(returned, new Set())
      changed = `${show(returned)} ${show(args)}`
      first = result
      result = null
      isOver = false
      inputs.reset(mode, planned.methods !== undefined)
      current!.args = inputs.makeAll(planned.params, planned.isRest === true, start)
      begin()
      return true
    },
    tick: () => {
      timers.sort((a, b) => a.at - b.at)
      const next = timers.shift()
      if (next === undefined) return false
      now = Math.max(now, next.at)
      try {
        next.fn()
      } catch (error) {
        note(endOf('throws', error))
      }
      return true
    },
    outcome: () => {
      held?.()
      held = null
      finish('goes on', [])
      const isLimit = result!.isLimit || realm.state.isBroken
      const again = first === null ? '' : `${changed} ${result!.end} ${result!.args}`
      // So many calls are cut off at some place, which is not the same in every version.
      const isCutOff = calls.length > maxCalls || (current!.mode === 'long' && calls.length > 0)
      const isSpoilt = (first ?? result!).isSpoilt || isCutOff
      return JSON.stringify({
        ...(first ?? result),
        isLimit,
        isSpoilt,
        calls,
        awaited: [...awaited].sort(),
        again
      })
    },
    reached: () => JSON.stringify(newlyReached())
  }
}
