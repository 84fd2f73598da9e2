import type { createBuffer } from './buffer-class.js'
import type { createModules } from './modules.js'
import type { createOutside, Mode } from './outside.js'
import type { createRoutes } from './routes.js'
import type { createTypeChecks } from './type-checks.js'
import type { Entry } from './trace.js'
import type { createUrlClasses } from './url-classes.js'

export interface Driver {
  /** Loads a module; `Entry[]` as JSON. */
  load: (text: string, free: string) => string
  /** The functions of a call's result: `Entry[]` as JSON, without `before`. */
  results: (expression: string) => string
  /** Evaluates an expression of `lib`, `handlers` and `standIn`. */
  run: (expression: string, mode: Mode) => void
  /** The effects of the last run, once its promises have settled: a `Trace` as JSON. */
  trace: () => string
}

/** Runs inside the sandbox, before the code. It must not refer to anything outside itself. */
export function createDriver(parts: {
  createOutside: typeof createOutside
  createModules: typeof createModules
  createUrlClasses: typeof createUrlClasses
  createTypeChecks: typeof createTypeChecks
  createRoutes: typeof createRoutes
  createBuffer: typeof createBuffer
  enterName: string
  leaveName: string
  codeName: string
  patternName: string
  elementName: string
  lastName: string
}): Driver {
  const { enterName, leaveName, codeName, patternName, elementName, lastName } = parts
  const global: any = globalThis
  const { hasOwn, getOwnPropertyNames } = Object
  const { stringify, parse } = JSON
  const everyObject: any = Object.prototype
  // eslint-disable-next-line no-eval -- in the sandbox
  const evaluate = eval
  const { real, partly } = parts.createModules()
  const { URL, URLSearchParams } = parts.createUrlClasses()
  const Buffer = (global.Buffer = parts.createBuffer())
  const outside = parts.createOutside({
    real: { ...real, buffer: { Buffer } },
    partly: { ...partly, url: { ...partly['url'], URL, URLSearchParams } },
    classes: { URL, URLSearchParams, Buffer },
    checkType: parts.createTypeChecks(),
    createRoutes: parts.createRoutes
  })
  const { calls, handlers, standIn, world } = outside
  const { call, toString } = Function.prototype
  /** A class inherits `toString` of the one that it extends; a handler behind others has its own. */
  const textOf = (value: any): string => (hasOwn(value, 'toString') ? `${value}` : call.call(toString, value))
  const ofFunctions = /^(?:prototype|length|name|arguments|caller|super_)$/
  let lib: any
  let threw = ''
  let stack = ''
  let isInjected = false
  let isReached = false
  const codes: string[] = []
  const patterns: string[] = []
  let isPollutedHere = false
  let wasPolluted = false
  let mayPollute = false
  let fault = { isThrownHere: false, isEndless: false, isRejected: false, isPastEnd: false }
  let visits = 0
  let usesAtStart = 0
  let usesBefore = 0
  const endless = 1_000
  const MANY = 24
  // V8 has it, and constructors of errors call it.
  ;(Error as any).captureStackTrace ??= () => {}
  const native = [TypeError, ReferenceError, RangeError]
  /** Names that the input has added to every object. */
  const added = (): string[] =>
    mayPollute ? getOwnPropertyNames(everyObject).filter((name) => name.includes('polluted')) : []
  /** @returns where the code was before */
  global[enterName] = (isOfFinding: boolean) => {
    const before = world.isHere
    world.isHere = isOfFinding
    wasPolluted ||= added().length > 0
    isReached ||= isOfFinding
    if (isOfFinding && visits++ === 0) usesBefore = world.uses
    const isSame = visits % 100 === 0 && world.uses !== usesBefore && asksTheSame()
    if (visits > endless || isSame) {
      fault.isEndless = world.uses === usesBefore || isSame
      throw new Error('endless')
    }
    return before
  }
  global[leaveName] = (before: boolean, value: any, isDropped = false) => {
    if (isDropped && world.isHere && value instanceof Promise) {
      const noted = fault
      value.then(undefined, (reason) => {
        // A process that ends itself rejects nothing.
        noted.isRejected ||= String(reason) !== 'Error: exit'
      })
    }
    isPollutedHere ||= world.isHere && !wasPolluted && added().length > 0
    world.isHere = before
    return value
  }
  global[elementName] = (list: any, index: any) => {
    const isList =
      typeof list === 'string' ||
      ((Array.isArray(list) || ArrayBuffer.isView(list)) && !outside.isStandIn(list))
    if (isList && index === (list as any).length) fault.isPastEnd = true
    return index
  }
  /** Whether it only reads files, and the same ones again and again: nobody changes them while it does. */
  function asksTheSame(): boolean {
    const last = calls
      .slice(-MANY)
      .map(({ path, args }) => `${path} ${stringify(args.map((each) => shown(each, 2)))}`)
    const isRead = last.every((each) =>
      /^fs\.(?:readdir|stat|lstat|exists|readFile|access|realpath)Sync /.test(each)
    )
    return last.length === MANY && isRead && last.every((each, at) => at < 4 || each === last[at - 4])
  }
  global[lastName] = (callee: any) => {
    const isUnknown = outside.isStandIn(callee) && !outside.isGiven(callee)
    if (isUnknown && /^(?:doubtful|strict)$/.test(world.mode)) throw new Error('refused')
  }
  global[codeName] = (text: any) => {
    if (typeof text === 'string' && codes.length < 20) codes.push(text.slice(0, 4_000))
    return text
  }
  global[patternName] = (text: any) => {
    const isNew = typeof text === 'string' && !patterns.includes(text)
    if (isNew && patterns.length < 4 && text.length < 4_000) patterns.push(text)
    return text
  }
  Object.defineProperty(globalThis, 'injected', {
    value: () => {
      isInjected = true
      return 1
    }
  })

  const nameOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${stringify(key)}]`)

  function entriesIn(value: any, access: string, depth: number, found: Entry[]): void {
    if (found.length >= 40 || value === null) return
    if (typeof value === 'function' && !outside.isStandIn(value)) {
      const source = textOf(value)
      const name =
        access === 'lib' ? String(value.name || 'module.exports') : access.replace(/^(?:lib)?\.?/, '')
      const isHandler = access.startsWith('handlers')
      const isClass = /^class\b/.test(source)
      const made: Entry = { access: `new ${access}`, name, source, isHandler: false }
      if (!isClass) found.push({ access, name, source, isHandler })
      else if (access !== '') found.push(made)
      if (!isHandler && access !== '') methodsOf(value.prototype, made, found)
    }
    if ((typeof value !== 'object' && typeof value !== 'function') || depth === 0) return
    if (outside.isStandIn(value)) return
    for (const key of getOwnPropertyNames(value)) {
      if (typeof value === 'function' && ofFunctions.test(key)) continue
      const part = Object.getOwnPropertyDescriptor(value, key)
      const inner = part?.get === undefined ? part?.value : value[key]
      if (typeof inner === 'function' || (typeof inner === 'object' && !Array.isArray(inner))) {
        entriesIn(inner, access + nameOf(key), depth - 1, found)
      }
    }
  }

  function methodsOf(prototype: any, before: Entry | undefined, found: Entry[]): void {
    if (typeof prototype !== 'object' || prototype === null) return
    for (const key of getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, key)?.value
      if (key === 'constructor' || typeof method !== 'function' || outside.isStandIn(method)) continue
      const entry: Entry = { access: nameOf(key), name: key, source: textOf(method), isHandler: false }
      found.push(before === undefined ? entry : { ...entry, before })
    }
  }

  /** A copy that can be written as JSON, without calling stand-ins. */
  function shown(value: any, depth: number): any {
    if (typeof value === 'string') return value.slice(0, 4_000)
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'object') return typeof value === 'function' ? '<function>' : `<${typeof value}>`
    if (depth === 0 || outside.isStandIn(value)) return '<object>'
    if (value instanceof URL) return value.href
    if (value instanceof Error) return '<error>'
    if (Array.isArray(value)) return value.slice(0, 20).map((each) => shown(each, depth - 1))
    const copy: any = {}
    for (const key of Object.keys(value).slice(0, 20)) {
      if (key !== '__proto__') copy[key] = shown(value[key], depth - 1)
    }
    return copy
  }

  return {
    load: (text, free) => {
      const module = { exports: {} as any }
      const given = parse(free).map((name: string) =>
        hasOwn(outside.globals, name) ? outside.globals[name] : standIn(name)
      )
      const names = evaluate(text)(module.exports, outside.require, module, '/app/code.js', '/app', ...given)
      const { exports } = module
      const isEmpty =
        typeof exports === 'object' && getOwnPropertyNames(exports).every((key) => key === '__esModule')
      // Functions that are not exported count as entry points only if there is no other one.
      lib = isEmpty && handlers.length === 0 ? names : exports
      const found: Entry[] = []
      handlers.forEach((handler, index) => entriesIn(handler, `handlers[${index}]`, 0, found))
      entriesIn(lib, 'lib', 3, found)
      return stringify(found)
    },
    results: (expression) => {
      const found: Entry[] = []
      world.isHere = false
      world.mode = 'usual'
      visits = 0
      try {
        const value = evaluate(`(lib, handlers, standIn) => ${expression}`)(lib, handlers, standIn)
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        if ((isObject || typeof value === 'function') && !outside.isStandIn(value) && value !== lib) {
          entriesIn(value, '', 1, found)
          const prototype = Object.getPrototypeOf(value)
          const isOwn = isObject && prototype !== everyObject && !(value instanceof Promise)
          if (isOwn && !expression.startsWith('new ')) methodsOf(prototype, undefined, found)
        }
      } catch {
        // Called with other arguments it may return something; these show nothing.
      }
      return stringify(found.slice(0, 12))
    },
    run: (expression, mode) => {
      calls.length = 0
      codes.length = 0
      threw = ''
      stack = ''
      isInjected = false
      isPollutedHere = false
      wasPolluted = false
      isReached = false
      world.isHere = false
      world.mode = mode
      fault = { isThrownHere: false, isEndless: false, isRejected: false, isPastEnd: false }
      visits = 0
      usesAtStart = world.uses
      mayPollute = expression.includes('polluted')
      const fail = (error: any): void => {
        threw = `${error?.name}: ${error?.message}`
        const isNative = native.some((each) => error instanceof each)
        fault.isThrownHere = world.isHere && isNative
        if (isNative) stack = String(error.stack).slice(0, 1_000)
      }
      try {
        const result = evaluate(`(lib, handlers, standIn) => ${expression}`)(lib, handlers, standIn)
        // What was compiled is a function: what is in it runs when that is called.
        if (typeof result === 'function' && codes.length > 0 && !outside.isStandIn(result)) result()
        if (result instanceof Promise) result.catch(fail)
      } catch (error) {
        fail(error)
      }
    },
    trace: () => {
      const isPolluted = added().length > 0
      for (const name of added()) delete everyObject[name]
      const list = calls.slice(0, 100).map(({ path, args, isHere }) => ({
        path,
        args: [...args].map((each) => shown(each, 4)),
        isHere
      }))
      return stringify({
        calls: list,
        isPolluted,
        isPollutedHere,
        isInjected,
        isReached,
        codes,
        patterns,
        threw,
        stack,
        usesOutside: world.isCopied || world.uses > usesAtStart,
        ...fault
      })
    }
  }
}
