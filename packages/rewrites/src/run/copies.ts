import type { CodeRealm } from './code-realm.js'
import type { Rng } from './plan.js'

export interface Copies {
  /** An equal value, optionally with one small change or with its keys in another order. */
  copyOf: (value: any, rng: Rng, change: CopyChange) => any
}

export type CopyChange = 'none' | 'one' | 'order'

/**
 * Runs inside the sandbox, in the harness's own realm. It must not refer to anything outside itself. It
 * copies arrays and plain objects that the code has not received yet; all other values stay the same.
 */
export function createCopies(realm: CodeRealm): Copies {
  'use strict'
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect

  const put = (object: any, key: PropertyKey, value: any): void => {
    defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  }
  const isPlain = (value: any): boolean =>
    value !== null &&
    typeof value === 'object' &&
    (Array.isArray(value) || getPrototypeOf(value) === realm.objectPrototype)

  function other(value: any, rng: Rng): any {
    if (typeof value === 'number') return value === 0 ? 1 : rng() < 0.5 ? value + 1 : -value
    if (typeof value === 'string') return rng() < 0.5 ? `${value}x` : value.slice(1)
    if (typeof value === 'boolean') return !value
    return value === null ? undefined : rng() < 0.5 ? null : 0
  }

  function copyOf(value: any, rng: Rng, change: CopyChange): any {
    if (!isPlain(value)) return change === 'one' ? other(value, rng) : value
    const isList = Array.isArray(value)
    const keys = ownKeys(value).filter((key) => !isList || key !== 'length')
    const copy = isList ? realm.newArray() : realm.newObject()
    if (change === 'order' && !isList) keys.reverse()
    const at = change === 'one' ? Math.floor(rng() * (keys.length + 1)) : -1
    const how = rng()
    for (const [index, key] of keys.entries()) {
      const part = getOwnPropertyDescriptor(value, key)?.value
      if (index !== at) put(copy, key, copyOf(part, rng, change === 'order' ? 'order' : 'none'))
      // Another value, possibly nested; another key, even if both values are undefined; or a removed key.
      else if (how < 0.3) put(copy, key, copyOf(part, rng, 'one'))
      else if (how < 0.6 && !isList) {
        put(value, key, undefined)
        put(copy, `${String(key)}2`, undefined)
      } else if (how < 0.8 && !isList) put(copy, `${String(key)}2`, part)
      else if (isList) put(copy, key, null)
    }
    if (isList) copy.length = value.length
    if (at === keys.length) put(copy, isList ? keys.length : 'extra', how < 0.5 ? 1 : 'a')
    return copy
  }

  return { copyOf }
}
