import type { CodeRealm } from './code-realm.js'

export interface ChangeParts {
  realm: CodeRealm
  /** Stand-ins and proxies are not changed. */
  names: WeakMap<object, string>
  proxies: WeakSet<object>
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createChange(parts: ChangeParts): (value: any) => void {
  'use strict'
  const { realm, names, proxies } = parts
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  const isObject = (value: any): boolean =>
    value !== null && (typeof value === 'object' || typeof value === 'function')

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

  return (value) => change(value, new Set())
}
