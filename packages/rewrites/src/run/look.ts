import type { CodeRealm } from './code-realm.js'
import type { Inputs } from './inputs.js'
import type { PlannedTarget, Rng } from './plan.js'

export interface LookParts {
  realm: CodeRealm
  inputs: () => Inputs
  /** Stand-ins are not inspected. */
  names: WeakMap<object, string>
  proxies: WeakSet<object>
  endOf: (kind: string, value: any) => string
  /** Whether the value is a promise. If so, one of the callbacks is called when it settles. */
  settles: (value: any, onValue: (value: any) => void, onError: (error: any) => void) => boolean
}

export interface Look {
  /**
   * Everything that a caller can observe in a result: the values of an iterator, the effects of a returned
   * function, and of successive calls of an object's methods. Promises in it are replaced by their values
   * when they settle.
   */
  look: (value: any, rng: Rng) => any
  /** The effects of successive method calls on an instance. */
  callMethods: (object: any, methods: NonNullable<PlannedTarget['methods']>, rng: Rng) => any[]
  /**
   * Called while a function that one of the successive calls received is running. It may call the result of
   * that call, as a listener that unsubscribes itself does, or another function with the same arguments.
   */
  reenter: (fn: any, rng: Rng) => void
  /** For a new run. */
  reset: (planned: PlannedTarget, isLong: boolean) => void
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createLook(parts: LookParts): Look {
  'use strict'
  const { realm, names, proxies, endOf, settles } = parts
  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  const maxCalls = 12
  const maxMethodCalls = 24
  /** For very long arguments: limits the calls of methods and of a returned function. */
  const maxLongMethodCalls = 3
  const maxLongCalls = 1
  const maxDepth = 2
  const maxYielded = 60
  const maxReentries = 3
  let inner: NonNullable<PlannedTarget['inner']> = {}
  let callsLeft = maxCalls
  let looked = new Set<any>()
  let reentries = 0
  let isReentering = false
  /** The arguments and results of the successive calls. */
  let history: Array<{ callees: readonly Callee[]; callee: Callee; args: any[]; result: any }> = []

  interface Callee {
    name: string
    /** For a property that is not a function: returns its value. */
    call: (args: any[]) => any
    makeArgs: (seed: number) => any[]
  }

  const pick = (list: readonly any[], rng: Rng): any => list[Math.floor(rng() * list.length)]
  const isOwn = (value: any): boolean => typeof value === 'function' && !names.has(value)

  /** Successive calls; some repeat the arguments of an earlier call. */
  function callInTurn(callees: readonly Callee[], count: number, rng: Rng, depth: number): any[] {
    const results: Array<[string, any]> = []
    const earlier = new Map<Callee, any[][]>()
    const later: Array<() => void> = []
    for (let step = 0; step < count && callees.length > 0 && callsLeft > 0; step++) {
      callsLeft--
      const callee: Callee = pick(callees, rng)
      const known = earlier.get(callee) ?? []
      const seed = Math.floor(rng() * 4294967296)
      const args = known.length > 0 && rng() < 0.35 ? pick(known, rng) : callee.makeArgs(seed)
      earlier.set(callee, [...known, args])
      const entry: [string, any] = [callee.name, undefined]
      results.push(entry)
      try {
        const call = { callees, callee, args, result: undefined }
        history.push(call)
        const value = callee.call(args)
        call.result = value
        entry[1] = value
        const see = (given: any): void => {
          entry[1] = lookInto(given, rng, depth + 1)
        }
        const waits = settles(value, see, (error) => {
          entry[1] = endOf('rejects with', error)
        })
        if (waits) entry[1] = '<pending>'
        // Its immediate effects may differ from those after other calls.
        else if (rng() < 0.5) see(value)
        else later.push(() => see(value))
      } catch (error) {
        entry[1] = endOf('throws', error)
      }
    }
    for (const see of later) see()
    return results
  }

  function calleeOf(owner: any, name: string, fn: any): Callee {
    const params = Object.hasOwn(inner, name) ? inner[name] : undefined
    return {
      name,
      call: (args) => apply(fn, owner, args),
      makeArgs: (seed) => {
        const length = Number(getOwnPropertyDescriptor(fn, 'length')?.value) || 0
        const plain = Array.from({ length: Math.max(1, Math.min(20, length)) }, () => ({
          kinds: ['number' as const, 'string' as const]
        }))
        return parts.inputs().makeStep(params?.params ?? plain, params?.isRest === true, seed)
      }
    }
  }

  /** Functions among its own properties. */
  function calleesIn(value: any): Callee[] {
    return Object.keys(value).flatMap((key) => {
      const fn = getOwnPropertyDescriptor(value, key)?.value
      return isOwn(fn) ? [calleeOf(value, key, fn)] : []
    })
  }

  function lookInto(value: any, rng: Rng, depth: number): any {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
    if (names.has(value) || looked.has(value) || depth > maxDepth) return value
    looked.add(value)
    if (typeof value === 'function') {
      const self = calleeOf(undefined, '', value)
      const methods = proxies.has(value) ? [] : calleesIn(value)
      const count = depth > 0 ? pick([1, 2, 3], rng) : pick([3, 3, 4, 6], rng) + 2 * methods.length
      const callees = methods.length === 0 ? [self] : [self, self, ...methods]
      return ['function', ...callInTurn(callees, count, rng, depth)]
    }
    if (!proxies.has(value) && getPrototypeOf(value) === realm.objectPrototype) {
      const callees = calleesIn(value)
      if (callees.length > 0) {
        const count = Math.min(12, pick([2, 3, 4, 6], rng) + callees.length)
        return ['object', value, ...callInTurn(callees, count, rng, depth)]
      }
    }
    if (typeof value.next === 'function' && typeof value[Symbol.iterator] === 'function') {
      const list: any[] = []
      for (const each of value) {
        list.push(each)
        if (list.length >= maxYielded) break
      }
      return ['iterator', ...list]
    }
    return value
  }

  function reenter(fn: any, rng: Rng): void {
    if (isReentering || reentries >= maxReentries || rng() >= 0.3) return
    const actions = history
      .filter(({ args }) => args.includes(fn))
      .flatMap(({ callees, callee, args, result }) => [
        ...(isOwn(result) ? [() => apply(result, undefined, [])] : []),
        ...callees.filter((each) => each !== callee).map((each) => () => each.call(args))
      ])
    if (actions.length === 0) return
    isReentering = true
    reentries++
    try {
      pick(actions, rng)()
    } catch (error) {
      // Later calls show the state of the object. After a stack overflow, nothing is compared.
      if (endOf('throws', error).includes('InternalError')) realm.state.isBroken = true
    } finally {
      isReentering = false
    }
  }

  return {
    reenter,
    look: (value, rng) => lookInto(value, rng, 0),
    callMethods: (object, methods, rng) => {
      const callees = methods.map(
        ({ name, params, isRest = false }): Callee => ({
          name,
          call: (args) => {
            const method = object[name]
            return typeof method === 'function' ? apply(method, object, args) : method
          },
          makeArgs: (seed) => parts.inputs().makeStep(params, isRest, seed)
        })
      )
      looked.add(object)
      return callInTurn(callees, pick([2, 3, 4, 5, 5, 6, 6, 8, 12, 24], rng), rng, 0)
    },
    reset: (planned, isLong) => {
      inner = planned.inner ?? {}
      callsLeft =
        planned.methods === undefined
          ? isLong
            ? maxLongCalls
            : maxCalls
          : isLong
            ? maxLongMethodCalls
            : maxMethodCalls
      looked = new Set()
      history = []
      reentries = 0
    }
  }
}
