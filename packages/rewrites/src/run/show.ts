import type { CodeRealm } from './code-realm.js'

export interface ShowParts {
  realm: CodeRealm
  /** Stand-ins and their labels. */
  names: WeakMap<object, string>
  /** Promises of stand-ins that were not awaited yet. */
  labels: WeakMap<object, string>
  proxies: WeakSet<object>
  /** Objects whose methods are called: the methods show their behaviour, and their fields are private. */
  selves: WeakSet<object>
}

export interface Show {
  show: (value: any) => string
  isInstance: (value: any, prototype: object) => boolean
  /** The built-in class of an error; null if the value is not an error. */
  errorKind: (value: any) => string | null
  describeError: (error: any) => string
}

/**
 * Runs inside the sandbox, in the harness's own realm. It must not refer to anything outside itself. It
 * inspects values of another realm, whose methods may lie, so it calls only functions of its own realm.
 */
export function createShow(parts: ShowParts): Show {
  'use strict'
  const { realm, names, labels, proxies, selves } = parts
  const { apply, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  const getter = (prototype: any, key: string): any => getOwnPropertyDescriptor(prototype, key)!.get
  const mapSize = getter(Map.prototype, 'size')
  const setSize = getter(Set.prototype, 'size')
  const typedLength = getter(getPrototypeOf(Uint8Array.prototype), 'length')
  const viewed = getter(DataView.prototype, 'buffer')
  const source = getter(RegExp.prototype, 'source')
  const flags = Object.entries({
    d: 'hasIndices',
    g: 'global',
    i: 'ignoreCase',
    m: 'multiline',
    s: 'dotAll',
    u: 'unicode',
    y: 'sticky'
  }).map(([letter, key]) => [letter, getter(RegExp.prototype, key)] as const)
  const boxes = [
    Number.prototype.valueOf,
    String.prototype.valueOf,
    Boolean.prototype.valueOf,
    Symbol.prototype.valueOf,
    BigInt.prototype.valueOf
  ]
  const ownErrors: object[] = [Error.prototype]

  const isInstance = (value: any, prototype: object): boolean => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
    let steps = 0
    for (let at = getPrototypeOf(value); at !== null && steps++ < 100; at = getPrototypeOf(at)) {
      if (at === prototype) return true
    }
    return false
  }

  /** Undefined if the method does not apply to the value. */
  function asked(method: any, value: any): any {
    try {
      return apply(method, value, [])
    } catch {
      return undefined
    }
  }

  function errorKind(value: any): string | null {
    for (const { name, prototype } of realm.errors) if (isInstance(value, prototype)) return name
    // An error of this realm means that the harness itself failed during a call.
    return ownErrors.some((each) => isInstance(value, each)) ? 'InternalError' : null
  }

  /** Reads a property as other code would. A property that throws or is not a string counts as missing. */
  function textOf(value: any, key: string): string {
    try {
      const text = get(value, key)
      return typeof text === 'string' ? text : typeof text
    } catch {
      return '<throws>'
    }
  }

  function describeError(error: any): string {
    const [kind, name] = [errorKind(error), textOf(error, 'name')]
    // An error's name can be set to anything, so its class is shown as well.
    return `${kind === name ? '' : `${kind} `}${name}`
  }

  /** The class name of a value, without running any of its code. */
  function typeOf(value: any): string {
    const prototype = getPrototypeOf(value)
    if (prototype === null || prototype === realm.objectPrototype) return ''
    const made = getOwnPropertyDescriptor(prototype, 'constructor')?.value
    const name = typeof made === 'function' ? getOwnPropertyDescriptor(made, 'name')?.value : undefined
    return typeof name === 'string' ? `${name} ` : '<class> '
  }

  function show(value: any, depth = 0, path: any[] = []): string {
    if (value === null) return 'null'
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value)
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value)
      case 'bigint':
        return `${value}n`
      case 'undefined':
      case 'boolean':
        return String(value)
      case 'symbol':
        return String(value)
      default:
    }
    const name = names.get(value)
    if (name !== undefined && typeof value === 'function') return `<${name}>`
    if (selves.has(value)) return '<self>'
    if (path.includes(value)) return '<again>'
    if (depth > 12) return '<deep>'
    const inner = [...path, value]
    const deeper = (each: any): string => show(each, depth + 1, inner)
    if (proxies.has(value)) {
      return `proxy ${typeof value === 'function' ? '<function>' : partsOf(value, deeper)}`
    }
    if (typeof value === 'function') return '<function>'
    // Testing for other kinds throws once per kind, which would be most of the work of a run.
    if (getPrototypeOf(value) === realm.objectPrototype && labels.get(value) === undefined) {
      return partsOf(value, deeper)
    }
    if (Array.isArray(value)) return listed(value, value.length, deeper)
    if (errorKind(value) !== null) return `${describeError(value)}: ${textOf(value, 'message')}`
    const label = labels.get(value)
    if (label !== undefined) return `<promise of ${label}>`
    return shownByKind(value, deeper) ?? `${typeOf(value)}${partsOf(value, deeper)}`
  }

  function shownByKind(value: any, deeper: (each: any) => string): string | null {
    // A test for the wrong kind throws, which is expensive, so the most frequent kinds come first.
    if (asked(mapSize, value) !== undefined) {
      const parts: string[] = []
      apply(Map.prototype.forEach, value, [
        (each: any, key: any) => parts.push(`${deeper(key)} => ${deeper(each)}`)
      ])
      return `Map {${parts.join(', ')}}`
    }
    if (asked(setSize, value) !== undefined) {
      const parts: string[] = []
      apply(Set.prototype.forEach, value, [(each: any) => parts.push(deeper(each))])
      return `Set {${parts.join(', ')}}`
    }
    const ms = asked(Date.prototype.getTime, value)
    if (ms !== undefined) return `Date ${ms}`
    const pattern = asked(source, value)
    if (pattern !== undefined && asked(flags[0]![1], value) !== undefined) {
      return `/${pattern}/${flags.map(([letter, has]) => (asked(has, value) === true ? letter : '')).join('')}`
    }
    if (ArrayBuffer.isView(value)) {
      const bytes: any = asked(viewed, value) === undefined ? value : new Uint8Array(asked(viewed, value))
      return `bytes ${listed(bytes, asked(typedLength, bytes) ?? 0, deeper)}`
    }
    for (const method of boxes) {
      const boxed = asked(method, value)
      if (boxed !== undefined) return `boxed ${deeper(boxed)}`
    }
    if (isInstance(value, realm.promisePrototype)) return '<promise>'
    return null
  }

  /** Natively, because one by one takes more work than a run may do. NaN and what is missing look alike. */
  function shownLong(list: any): string | null {
    try {
      return `long ${JSON.stringify(apply(Array.prototype.concat, [], [list]))}`
    } catch {
      return null
    }
  }

  function listed(list: any, length: number, deeper: (each: any) => string): string {
    if (length >= 1_000) {
      const long = shownLong(list)
      if (long !== null) return long
    }
    const parts: string[] = []
    // What a list does not have is not asked of its prototype.
    for (let at = 0; at < length; at++) {
      const part = getOwnPropertyDescriptor(list, at)
      if (part === undefined && length > 100_000) return `[${parts.join(', ')}, … ${length}]`
      if (part === undefined) parts.push('<empty>')
      else if (!('value' in part)) parts.push('<accessor>')
      // Most elements are strings and numbers, and a call takes more work than to show one.
      else if (typeof part.value === 'string') parts.push(JSON.stringify(part.value))
      else if (typeof part.value === 'number' && part.value !== 0) parts.push(String(part.value))
      else parts.push(deeper(part.value))
    }
    return `[${parts.join(', ')}]`
  }

  function partsOf(value: any, deeper: (each: any) => string): string {
    const keys = Object.keys(value)
    return `{${keys.map((key) => `${key}: ${partOf(value, key, deeper)}`).join(', ')}}`
  }

  function partOf(value: any, key: string, deeper: (each: any) => string): string {
    const part = getOwnPropertyDescriptor(value, key)
    if (part !== undefined && 'value' in part && !proxies.has(value)) return deeper(part.value)
    try {
      return `read ${deeper(get(value, key))}`
    } catch (error) {
      return `throws ${errorKind(error) === null ? deeper(error) : describeError(error)}`
    }
  }

  return { show: (value) => show(value), isInstance, errorKind, describeError }
}
