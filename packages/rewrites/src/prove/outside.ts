import type { createRoutes } from './routes.js'
import type { createTypeChecks } from './type-checks.js'

/** A call of a function outside the code, or an assignment to a property outside it. */
export interface OutsideCall {
  /** Such as `child_process.exec`, `new Pool().query`, `document.body.innerHTML=`. */
  path: string
  args: any[]
  isHere: boolean
}

/** How the outside behaves, and where the code is. */
export interface World {
  /** Whether an expression of the finding is being evaluated. */
  isHere: boolean
  mode: Mode
  /** How often the code has used a stand-in. */
  uses: number
  /** Whether the code has copied the properties of a stand-in, which has none of the real ones. */
  isCopied: boolean
  /** More than these end a run. */
  maxCalls: number
}

/**
 * - `doubtful`: functions that get something of the input refuse it: some throw, the others return nothing. Those
 *   that a branch calls last throw.
 * - `failing`: callbacks get an error, and promises are rejected.
 * - `failing here`: only those of calls that the finding makes; `failing 1`: also those of the first call.
 * - `late failing`: like `failing`, and callbacks are called after the call has returned.
 * - `throwing`: callbacks of the caller throw when they are called first.
 * - `strict`: functions whose names say that they check something throw, whatever they get.
 */
export type Mode =
  | 'usual'
  | 'doubtful'
  | 'failing'
  | 'failing here'
  | `failing ${number}`
  | 'late failing'
  | 'throwing'
  | 'strict'

export interface Outside {
  calls: OutsideCall[]
  world: World
  /** Functions that the code registered for requests. */
  handlers: any[]
  standIn: (path: string) => any
  isStandIn: (value: any) => boolean
  /** Whether it is a function that the caller passes, or a part of one. */
  isGiven: (value: any) => boolean
  require: (name: string) => any
  /** Values of names that Node.js or a browser declares. */
  globals: Record<string, any>
}

export interface OutsideParts {
  /** Modules that need no stand-in. */
  real: Record<string, any>
  /** Functions of modules that need none. */
  partly: Record<string, any>
  /** Classes of Node.js that need none. */
  classes: Record<string, any>
  /** What a function answers that only looks at the type of a value. */
  checkType: ReturnType<typeof createTypeChecks>
  createRoutes: typeof createRoutes
}

/**
 * Stand-ins for everything outside the code. They record their calls and have no effects. The text runs in the
 * sandbox and in reproducers, so it must not refer to anything outside itself.
 */
export function createOutside({ real, partly, classes, checkType, createRoutes }: OutsideParts): Outside {
  const calls: OutsideCall[] = []
  const completed = new Set<string>()
  const inputParts = /injected|polluted|__proto__|^(?:constructor|prototype)$/
  /** What a slow pattern gets. */
  const repetitions = /^[^]{0,20}?([^]{1,12}?)\1{7}/
  const world: World = { isHere: false, mode: 'usual', uses: 0, isCopied: false, maxCalls: 500 }
  /** Electron, custom elements and fonts wait, a timer without a signal as well, and jQuery reports nothing unhandled. */
  const neverRejected =
    /\.(?:whenReady|whenDefined)\(\)$|\.ready$|^timers\.promises\.set\w+\(\)$|^(?:\$|jQuery)\b/
  const isEveryCallFailing = (): boolean => world.mode === 'failing' || world.mode === 'late failing'
  const note = (path: string, args: any[]): number => calls.push({ path, args, isHere: world.isHere })
  const roots = new Map<string, any>([
    [
      'os',
      {
        EOL: '\n',
        platform: () => 'linux',
        type: () => 'Linux',
        release: () => '6.1.0',
        arch: () => 'x64',
        homedir: () => '/home/user',
        tmpdir: () => '/tmp',
        hostname: () => 'host',
        cpus: () => [{}]
      }
    ]
  ])
  // eslint-disable-next-line no-eval -- what vm and timers do with a string
  const evaluate = eval
  const made = new WeakSet<object>()
  const routes = createRoutes((value) => made.has(value))
  /** The names of the functions that the caller passes. */
  const given = new Set<string>()
  const root = (path: string): any => {
    if (!roots.has(path)) roots.set(path, standIn(path))
    return roots.get(path)
  }

  function standIn(path: string, isResult = false, isFailing = false): any {
    const parts = new Map<any, any>()
    /** What the code, or this sandbox, has put there. */
    const own = new Set<any>()
    const proxy: any = new Proxy(function () {}, {
      get(target: any, key: any) {
        if (own.has(key)) return parts.get(key)
        world.uses++
        if (parts.has(key)) return parts.get(key)
        if (key === Symbol.toPrimitive || key === 'toString') return () => `<${path}>`
        if (key === Symbol.iterator) return () => [standIn(`${path}[]`)].values()
        if (key === 'then') return isResult ? settled(path, isFailing) : undefined
        if (key === 'catch' && isResult) return (fail: any) => settled(path, isFailing)(undefined, fail)
        if (key === '__esModule') return true
        if (key === 'default') return proxy
        if (key === 'prototype') return target.prototype
        if (key === 'length') return 1
        if (key === 'call') return (_self: any, ...args: any[]) => record(path, args)
        if (key === 'apply') return (_self: any, args: any[] = []) => record(path, [...args])
        if (key === 'bind') return () => proxy
        if (typeof key === 'symbol' || key === 'toJSON') return undefined
        parts.set(key, standIn(`${path}.${key}`))
        return parts.get(key)
      },
      set(_target: any, key: any, value: any) {
        if (typeof key === 'string') note(`${path}.${key}=`, [value])
        parts.set(key, value)
        own.add(key)
        return true
      },
      has: () => true,
      ownKeys: (target) => {
        world.isCopied = true
        return Reflect.ownKeys(target)
      },
      apply: (_target: any, _self: any, args: any[]) => record(path, args),
      construct(target: any, args: any[], made: any) {
        const result = record(`new ${path}`, args)
        return made === proxy ? result : Reflect.construct(target, [], made)
      }
    })
    made.add(proxy)
    return proxy
  }

  const settled =
    (path: string, isFailing: boolean) =>
    (done: any, fail: any): any => {
      const isRejected = (isFailing || isEveryCallFailing()) && !neverRejected.test(path)
      const act = isRejected ? fail : done
      const value = isRejected ? new Error('failed') : standIn(path)
      if (typeof act !== 'function') return isRejected ? Promise.reject(value) : Promise.resolve(value)
      try {
        return Promise.resolve(act(value))
      } catch (error) {
        return Promise.reject(error)
      }
    }

  function record(path: string, args: any[]): any {
    world.uses++
    if (note(path, args) > world.maxCalls) throw new Error('too many calls')
    const [, from = '', name = ''] = /^(?:new )?(.*?)([^.]*)$/.exec(path) ?? []
    const checked = args.some((each) => made.has(each)) ? null : checkType(path, args)
    if (checked !== null) return checked.value
    const isFirst = calls.every((call, at) => at === calls.length - 1 || call.path !== path)
    if (world.mode === 'throwing' && isFirst && /^(?:cb|callback|done|next|\w+Callback)$/.test(path)) {
      // What catches it is not the expression that called.
      world.isHere = false
      throw new Error('thrown by the callback')
    }
    const isFailing =
      (world.mode.startsWith('failing ') && world.isHere) || world.mode === `failing ${calls.length}`
    if ((isFailing || isEveryCallFailing()) && path.endsWith('Sync')) return failSync(path, args)
    if (returnsPromise(path, args, isFailing)) return Promise.reject(new Error('failed'))
    // A new object is no promise.
    const result = standIn(`${path}()`, !path.startsWith('new '), isFailing)
    const functions = args.flat().filter((each) => typeof each === 'function' && !made.has(each))
    const isRefused =
      world.mode === 'doubtful' && answersMatter(path) && args.some((each) => carries(each, 4))
    if (routes.register(from, name, args, functions)) return result
    if (/^vm\.(?:run\w+|Script)$/.test(`${from}${name}`) && typeof args[0] === 'string') evaluate(args[0])
    const isCheck = /assert|check|valid|verify|ensure|guard|allow|forbid|parse|sanit/i.test(path)
    if (isCheck && (isRefused || world.mode === 'strict')) {
      throw new Error('refused')
    }
    const list = args.find((each) => typeof each === 'object' && each !== null && !made.has(each))
    const isEach =
      list !== undefined &&
      /^(?:_?each|for-?(?:each|in|own)|map|filter|some|every|mapValues|reduce)/i.test(name)
    // A callback of the caller that is passed on will be called.
    const passed = made.has(args.at(-1)) ? String(args.at(-1)) : ''
    if (
      /^<(?:cb|callback|done|next|\w+Callback)>$/.test(passed) &&
      !/^(?:on|once|addListener|removeListener|off)$/.test(name)
    ) {
      const { isHere } = world
      world.isHere = false
      note(passed.slice(1, -1), [])
      world.isHere = isHere
    }
    for (const fn of name === 'catch' ? [] : functions) {
      // Functions of other modules that walk a collection pass its elements.
      const answer = (): void => {
        if (isEach) callForEach(fn, list)
        else callBack(fn, name, isRefused ? undefined : result, isFailing)
      }
      if (world.mode === 'late failing') void Promise.resolve().then(answer)
      else answer()
    }
    return isRefused ? undefined : result
  }

  /** Whether a call that fails is certain to return a promise, and no object with a callback. */
  function returnsPromise(path: string, args: any[], isFailing: boolean): boolean {
    if (args.some((each) => typeof each === 'function')) return false
    if (/^fs\.promises\.\w+$/.test(path)) return isFailing || isEveryCallFailing()
    return isFailing && given.has(path) && !/^(?:cb|callback|done|next|\w+Callback)$/.test(path)
  }

  function failSync(path: string, args: any[]): any {
    if (path.endsWith('existsSync')) return false
    if (args.some((each) => each?.throwIfNoEntry === false)) return undefined
    throw Object.assign(new Error('failed'), { code: 'ENOENT' })
  }

  function callForEach(fn: any, list: any): void {
    for (const key of Object.keys(list).slice(0, 10)) {
      callBack((element: any) => fn(element, key, list), 'then', list[key])
    }
  }

  /** Whether a value has something of the input. */
  function carries(value: any, depth: number): boolean {
    if (typeof value === 'string') return inputParts.test(value) || repetitions.test(value)
    if (typeof value !== 'object' || value === null || depth === 0) return false
    return Object.keys(value).some((key) => carries(key, 1) || carries(value[key], depth - 1))
  }

  /** Whether a file exists, or what type a value has, protects nobody. */
  const answersMatter = (path: string): boolean =>
    !/^(?:new )?(?:fs|fs-extra|graceful-fs|fsp)\b/.test(path) &&
    !/(?:^|[./-])is-?(?:plain-?)?(?:object|obj|array|function|fn|string|number|primitive|extendable|buffer|date|regexp|undefined|null|nil|empty)(?:Like)?$/i.test(
      path
    )

  /** Calls a callback by the convention of Node.js: the error first, except where only a value is passed. */
  function callBack(fn: any, name: string, result: any, isFailing = false): void {
    const { isHere } = world
    // What a callback does is not done by the expression that passes it.
    world.isHere = false
    const takesError = /^(?:async\s*)?(?:function\b[^(]*)?\(?\s*(?:e|er|err|error)\b/.test(String(fn))
    const takesValue = /^(?:on|once|then|map|forEach|filter|find|each|addListener|subscribe)$/.test(name)
    const isNodes = takesError || (fn.length !== 1 && !takesValue)
    try {
      const error = isFailing || isEveryCallFailing() ? new Error('failed') : null
      const pending = isNodes ? fn(error, ...(error === null ? [result, result] : [])) : fn(result)
      if (pending instanceof Promise) pending.catch(() => {})
    } catch {
      // An exception in a callback never reaches the caller.
    } finally {
      world.isHere = isHere
    }
  }

  const later =
    (path: string) =>
    (fn: any, ...args: any[]): void => {
      if (note(path, [fn]) > world.maxCalls) return
      if (typeof fn === 'string') evaluate(fn)
      else if (typeof fn === 'function') {
        const answer = (): void => callBack(() => fn(...args), 'then', undefined)
        if (world.mode === 'late failing') void Promise.resolve().then(answer)
        else answer()
      }
    }
  const afterDelay =
    (path: string) =>
    (fn: any, _delay: any, ...args: any[]): void =>
      later(path)(fn, ...args)
  const silent = (): void => {}
  const { parse } = JSON
  JSON.parse = (text: any, revive?: any): any =>
    made.has(text) ? standIn('JSON.parse()') : parse(text, revive)

  return {
    calls,
    world,
    handlers: routes.handlers,
    standIn: (path) => {
      given.add(path)
      return standIn(path)
    },
    isStandIn: (value) => made.has(value),
    isGiven: (value) => given.has(/^<([^.(]*)/.exec(`${value}`)?.[1] ?? ''),
    require: (name) => {
      const id = name.replace(/^node:/, '')
      if (id.endsWith('/promises')) return root(id.slice(0, -'/promises'.length)).promises
      if (Object.hasOwn(real, id)) return real[id]
      const module = root(id)
      if (Object.hasOwn(partly, id) && !completed.has(id)) {
        completed.add(id)
        Object.assign(module, partly[id])
      }
      return module
    },
    globals: {
      ...classes,
      console: { log: silent, error: silent, warn: silent, info: silent, debug: silent, trace: silent },
      process: {
        env: {},
        argv: ['node', 'code.js'],
        platform: 'linux',
        version: 'v22.0.0',
        versions: { node: '22.0.0' },
        cwd: () => '/app',
        exit: () => {
          throw new Error('exit')
        },
        on: silent,
        nextTick: later('process.nextTick'),
        stdout: standIn('process.stdout'),
        stderr: standIn('process.stderr')
      },
      setTimeout: afterDelay('setTimeout'),
      setInterval: afterDelay('setInterval'),
      setImmediate: later('setImmediate'),
      clearTimeout: silent,
      clearInterval: silent,
      clearImmediate: silent,
      global: globalThis
    }
  }
}
