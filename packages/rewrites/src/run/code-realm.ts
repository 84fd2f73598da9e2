/** What the harness may ask of the realm in which the submitted code runs. */
export interface CodeRealm {
  global: any
  objectPrototype: object
  promisePrototype: object
  /** The language's own kinds of errors, the most general last. */
  errors: ReadonlyArray<{ name: string; prototype: object }>
  /** A place that the realm itself writes to: something of ours failed while the code was calling it. */
  state: RealmState
  newProbes: (count: number) => Probes
  /** Functions that are handed to others while the code loads. */
  kept: Record<string, any>
  newObject: () => any
  newArray: () => any[]
  newList: (...items: any[]) => any[]
  /** An empty array inside so many others. */
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
  /** The code has assigned to `__proto__`: with a key from its input, it means that the original is not safe. */
  isPrototypeSet: boolean
}

/**
 * What instrumented code tells about itself: 1 at the number of each probe that was reached. The code writes to
 * it without a call, which could run out of stack where the code itself does not.
 */
export type Probes = Uint8Array & {
  /** The value of the condition that is being asked. */
  value?: any
  /** The last operands of each comparison, two for each. */
  operands: any[]
  /** The language's own conversion. */
  toObject: (value: any) => any
  /** Keeps a function that is handed to somebody else while the code loads. */
  keep?: (access: string, fn: any) => any
}

/** A function of the harness: it answers with whether it returns, and what it returns or throws. */
export type Hook = (args: ArrayLike<any>) => readonly [boolean, any]

export interface RealmHooks {
  now: () => number
  /** What nobody has in a sandbox, by name: timers, chance. */
  globals: Record<string, Hook>
  random: Hook
  onAwait: (promise: object) => void
  onError: (error: object) => void
  onProxy: (proxy: object) => void
}

/**
 * Runs inside the sandbox, in the realm of the submitted code and before it: its text is evaluated there, so
 * nothing outside it may be named. The code can change everything in its realm. So whatever is used after it
 * began is kept here in constants, and no list is walked by an iterator.
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

  /** A promise that notes that somebody waits for it. */
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
        // Out of stack or memory in the middle of it: what it should have noted may be missing.
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
      // Handlers have no prototype: a trap that the code puts there would be one of theirs.
      const replace = (name: string, handler: any): void => {
        const native = global[name]
        global[name] = new NativeProxy(native, { __proto__: null, ...handler })
        if (native.prototype !== undefined) native.prototype.constructor = global[name]
      }
      // Errors that the code makes on purpose are told from those of the engine.
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
