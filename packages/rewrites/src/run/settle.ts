import type { CodeRealm } from './code-realm.js'

export interface SettleParts {
  realm: CodeRealm
  names: WeakMap<object, string>
  labels: WeakMap<object, string>
  proxies: WeakSet<object>
  /** Called when a promise of a stand-in is awaited. */
  onAwaited: (label: string) => void
}

export interface Settle {
  settles: (value: any, onValue: (value: any) => void, onError: (error: any) => void) => boolean
  settled: (value: any) => Promise<{ value: any; isError: boolean }>
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createSettle(parts: SettleParts): Settle {
  'use strict'
  const { realm, names, labels, proxies } = parts
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  const nativeThen = Promise.prototype.then
  const isObject = (value: any): boolean =>
    value !== null && (typeof value === 'object' || typeof value === 'function')

  /**
   * Whether the value is a promise. If so, one of the callbacks is called when it settles. The call uses our
   * own constructor, because the code may have replaced the constructor or `then`.
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
          parts.onAwaited(label)
        }
        return true
      } catch {
        // The value is not a promise.
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

  /** Boxed, so that the value is not mistaken for a promise. */
  const settled = (value: any): Promise<{ value: any; isError: boolean }> =>
    new Promise((resolve) => {
      const isPromise = settles(
        value,
        (each) => resolve({ value: each, isError: false }),
        (error) => resolve({ value: error, isError: true })
      )
      if (!isPromise) resolve({ value, isError: false })
    })

  return { settles, settled }
}
