/** A call of a function outside the code, or an assignment to a property outside it. */
export interface OutsideCall {
  /** Such as `child_process.exec`, `new Pool().query`, `document.body.innerHTML=`. */
  path: string
  args: any[]
}

export interface Outside {
  calls: OutsideCall[]
  /** Functions that the code registered for requests. */
  handlers: any[]
  standIn: (path: string) => any
  isStandIn: (value: any) => boolean
  require: (name: string) => any
  /** Values of names that Node.js or a browser declares. */
  globals: Record<string, any>
}

/**
 * Stand-ins for everything outside the code. They record their calls and have no effects. The text runs in
 * the sandbox and in reproducers, so it must not refer to anything outside itself.
 */
export function createOutside(real: Record<string, any>): Outside {
  const calls: OutsideCall[] = []
  const handlers: any[] = []
  const roots = new Map<string, any>()
  // eslint-disable-next-line no-eval -- what vm and timers do with a string
  const evaluate = eval
  const made = new WeakSet<object>()
  const root = (path: string): any => {
    if (!roots.has(path)) roots.set(path, standIn(path))
    return roots.get(path)
  }

  function standIn(path: string, isResult = false): any {
    const parts = new Map<any, any>()
    const proxy: any = new Proxy(function () {}, {
      get(target: any, key: any) {
        if (parts.has(key)) return parts.get(key)
        if (key === Symbol.toPrimitive || key === 'toString') return () => `<${path}>`
        if (key === Symbol.iterator) return () => [standIn(`${path}[]`)].values()
        if (key === 'then') return isResult ? (done: any) => done?.(standIn(path)) : undefined
        if (key === '__esModule') return true
        if (key === 'default' || key === 'promises') return proxy
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
        if (typeof key === 'string') calls.push({ path: `${path}.${key}=`, args: [value] })
        parts.set(key, value)
        return true
      },
      has: () => true,
      apply: (_target: any, _self: any, args: any[]) => record(path, args),
      construct(target: any, args: any[], made: any) {
        const result = record(`new ${path}`, args)
        return made === proxy ? result : Reflect.construct(target, [], made)
      }
    })
    made.add(proxy)
    return proxy
  }

  function record(path: string, args: any[]): any {
    if (calls.push({ path, args }) > 500) throw new Error('too many calls')
    const [, from = '', name = ''] = /^(?:new )?(.*?)([^.]*)$/.exec(path) ?? []
    const result = standIn(`${path}()`, true)
    const given = args.flat().filter((each) => typeof each === 'function' && !made.has(each))
    if (isRoute(from, name, args)) {
      handlers.push(...given, ...args.flatMap((each) => (each?.handler === undefined ? [] : [each.handler])))
      return result
    }
    if (/^vm\.(?:run\w+|Script)$/.test(`${from}${name}`) && typeof args[0] === 'string') evaluate(args[0])
    if (name !== 'catch') for (const fn of given) callBack(fn, name, result)
    return result
  }

  function isRoute(from: string, name: string, args: any[]): boolean {
    if (name === 'createServer') return true
    if (!/^(?:get|post|put|patch|delete|del|all|use|route)$/.test(name)) return false
    if (/^(?:https?|request|axios|got|superagent|needle|fs|db)\./.test(from)) return false
    const [first] = args
    return typeof first === 'function' || Array.isArray(first) || /^[/*]/.test(String(first?.url ?? first))
  }

  /** Calls a callback by the convention of Node.js: the error first, except where only a value is passed. */
  function callBack(fn: any, name: string, result: any): void {
    const takesError = /^(?:async\s*)?(?:function\b[^(]*)?\(?\s*(?:e|er|err|error)\b/.test(String(fn))
    const takesValue = /^(?:on|once|then|map|forEach|filter|find|each|addListener|subscribe)$/.test(name)
    try {
      const pending = takesError || (fn.length !== 1 && !takesValue) ? fn(null, result, result) : fn(result)
      if (pending instanceof Promise) pending.catch(() => {})
    } catch {
      // An exception in a callback never reaches the caller.
    }
  }

  const later = (fn: any, ...args: any[]): void => {
    if (calls.push({ path: 'setTimeout', args: [fn] }) > 500) return
    if (typeof fn === 'string') evaluate(fn)
    else if (typeof fn === 'function') callBack(() => fn(...args.slice(1)), 'then', undefined)
  }
  const silent = (): void => {}

  return {
    calls,
    handlers,
    standIn,
    isStandIn: (value) => made.has(value),
    require: (name) => {
      const id = name.replace(/^node:/, '').replace(/\/promises$/, '')
      return Object.hasOwn(real, id) ? real[id] : root(id)
    },
    globals: {
      console: { log: silent, error: silent, warn: silent, info: silent, debug: silent, trace: silent },
      process: {
        env: {},
        argv: ['node', 'code.js'],
        platform: 'linux',
        version: 'v22.0.0',
        versions: { node: '22.0.0' },
        cwd: () => '/app',
        exit: silent,
        on: silent,
        nextTick: (fn: any, ...args: any[]) => later(fn, 0, ...args),
        stdout: standIn('process.stdout'),
        stderr: standIn('process.stderr')
      },
      setTimeout: later,
      setInterval: later,
      setImmediate: (fn: any, ...args: any[]) => later(fn, 0, ...args),
      clearTimeout: silent,
      clearInterval: silent,
      clearImmediate: silent,
      global: globalThis
    }
  }
}
