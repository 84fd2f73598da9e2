/** The harness's interface to the realm in which the submitted code runs. */
export interface CodeRealm {
  global: any
  objectPrototype: object
  promisePrototype: object
  /** The language's error classes, the most general one last. */
  errors: ReadonlyArray<{ name: string; prototype: object }>
  /** A place that the realm itself writes to: something of ours failed while the code was calling it. */
  state: RealmState
  newProbes: (count: number) => Probes
  /** Functions that the code passes on while it loads. */
  kept: Record<string, any>
  newObject: () => any
  newArray: () => any[]
  newList: (...items: any[]) => any[]
  /** An empty array nested in that many others. */
  newNested: (levels: number) => any[]
  newMap: () => Map<any, any>
  newSet: () => Set<any>
  newDate: (ms: number) => Date
  newRegExp: (source: string, flags: string) => RegExp
  newError: (message: string) => Error
  newFunction: (call: Hook) => any
  newIterable: (next: Hook) => any
  newPromise: (isRejected: boolean, value: any) => Promise<any>
  install: (hooks: RealmHooks) => void
}

export interface RealmState {
  isBroken: boolean
  /** The code assigned to `__proto__`. If the key came from its input, the original is not safe. */
  isPrototypeSet: boolean
}

/**
 * The record of instrumented code: 1 at the number of each probe that was reached. The code writes to it
 * without a call, because a call could overflow the stack where the code itself does not.
 */
export type Probes = Uint8Array & {
  /** The value of the condition that is being evaluated. */
  value?: any
  /** The last operands of each comparison, two for each. */
  operands: any[]
  /** The language's own conversion. */
  toObject: (value: any) => any
  /** Keeps a function that the code passes on while it loads. */
  keep?: (access: string, fn: any) => any
}

/** A function of the harness. It returns whether the call returns, and the returned or thrown value. */
export type Hook = (args: ArrayLike<any>) => readonly [boolean, any]

export interface RealmHooks {
  now: () => number
  /** Names that a sandbox must replace: timers, randomness. */
  globals: Record<string, Hook>
  random: Hook
  onAwait: (promise: object) => void
  onError: (error: object) => void
  onProxy: (proxy: object) => void
}

/**
 * Runs inside the sandbox, in the realm of the submitted code and before it. Its text is evaluated there, so
 * it must not refer to anything outside itself. The code can change everything in its realm. So this function
 * keeps all that it needs in constants, and does not use iterators.
 */
export function codeRealm(): CodeRealm {
  'use strict'
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect
  const { setPrototypeOf } = Object
  const global = globalThis as any
  const [NativeMap, NativeSet, NativeDate, NativeRegExp] = [Map, Set, Date, RegExp]
  const [NativeError, NativePromise, NativeProxy] = [Error, Promise, Proxy]
  const [NativeBytes, NativeObject] = [Uint8Array, Object]
  const nativeThen = NativePromise.prototype.then
  const state: RealmState = { isBroken: false, isPrototypeSet: false }
  let onAwait: (promise: object) => void = () => {}

  /** A promise that records that it is awaited. */
  class Watched extends NativePromise<any> {
    // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- the implicit one may walk its arguments
    constructor(run: any) {
      super(run)
    }

    override then(onValue?: any, onError?: any): any {
      onAwait(this)
      return apply(nativeThen, this, [onValue, onError])
    }

    static override get [Symbol.species]() {
      return NativePromise
    }
  }
  const kept = { __proto__: null } as unknown as Record<string, any>

  for (const each of [Watched, Watched.prototype] as object[]) Object.freeze(each)

  const accessor = getOwnPropertyDescriptor(NativeObject.prototype, '__proto__')!
  const setPrototype = accessor.set!
  accessor.set = function (value: any) {
    state.isPrototypeSet = true
    apply(setPrototype, this, [value])
  }
  defineProperty(NativeObject.prototype, '__proto__', accessor)

  const newFunction = (call: Hook): any =>
    function (...args: any[]) {
      let answer: readonly [boolean, any] | undefined
      try {
        answer = call(args)
      } finally {
        // Stack or memory ran out inside the hook, so its record may be incomplete.
        if (answer === undefined) state.isBroken = true
      }
      if (answer[0]) return answer[1]
      throw answer[1]
    }

  const names = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError', 'Error']
  const errors = ['InternalError', 'AggregateError', ...names].map((name) => ({
    name,
    prototype: global[name].prototype
  }))

  return {
    global,
    objectPrototype: Object.prototype,
    promisePrototype: NativePromise.prototype,
    errors,
    state,
    kept,
    newProbes: (count) => {
      const probes = new NativeBytes(count) as Probes
      // Without a prototype: a setter that the code puts there would be called.
      probes.operands = setPrototypeOf([], null) as any
      probes.toObject = NativeObject
      probes.keep = (access, fn) => {
        kept[access] = fn
        return fn
      }
      return probes
    },
    newObject: () => ({}),
    newArray: () => [],
    newList: (...items) => items,
    newNested: (levels) => {
      let list: any[] = []
      for (let level = 0; level < levels; level++) list = [list]
      return list
    },
    newMap: () => new NativeMap(),
    newSet: () => new NativeSet(),
    newDate: (ms) => new NativeDate(ms),
    newRegExp: (source, flags) => new NativeRegExp(source, flags),
    newError: (message) => new NativeError(message),
    newFunction,
    newIterable: (next) => {
      const call = newFunction(next)
      return function* () {
        yield call()
      }
    },
    newPromise: (isRejected, value) =>
      new Watched((resolve: any, reject: any) => (isRejected ? reject(value) : resolve(value))),
    install: (hooks) => {
      onAwait = hooks.onAwait
      const { onError, onProxy, now } = hooks
      for (const [name, hook] of Object.entries(hooks.globals)) global[name] = newFunction(hook)
      Math.random = newFunction(hooks.random)
      // Handlers have no prototype: the code could otherwise add traps to it.
      const replace = (name: string, handler: any): void => {
        const native = global[name]
        global[name] = new NativeProxy(native, { __proto__: null, ...handler })
        if (native.prototype !== undefined) native.prototype.constructor = global[name]
      }
      // Distinguishes errors that the code creates from those of the engine.
      for (const name of names) {
        replace(name, {
          construct(target: any, args: any[], newTarget: any) {
            const error: any = construct(target, args, newTarget)
            onError(error)
            return error
          },
          apply(target: any, _self: any, args: any[]) {
            const error: any = construct(target, args)
            onError(error)
            return error
          }
        })
      }
      NativeDate.now = newFunction(() => [true, now()])
      replace('Date', {
        construct: (target: any, args: any[], newTarget: any) =>
          construct(target, args.length === 0 ? [now()] : args, newTarget),
        apply: () => `${new NativeDate(now()) as any}`
      })
      delete (Proxy as any).revocable
      replace('Proxy', {
        construct(target: any, args: any[], newTarget: any) {
          const proxy: any = construct(target, args, newTarget)
          onProxy(proxy)
          return proxy
        }
      })
    }
  }
}
