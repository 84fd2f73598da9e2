import type { CodeRealm } from './code-realm.js'
import type { Rng } from './plan.js'

/**
 * Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. Returns a function
 * that puts an object or array into one of its own parts, or into a second place.
 */
export function createCycles(realm: CodeRealm): (value: any, rng: Rng) => void {
  'use strict'
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
  const maxPlaces = 40

  const isContainer = (value: any): boolean =>
    value !== null &&
    typeof value === 'object' &&
    (Array.isArray(value) || getPrototypeOf(value) === realm.objectPrototype)

  return (root, rng) => {
    const places: Array<{ holder: any; key: PropertyKey }> = []
    const containers: any[] = []
    const pick = (list: readonly any[]): any => list[Math.floor(rng() * list.length)]

    function visit(value: any): void {
      if (!isContainer(value) || containers.includes(value) || places.length > maxPlaces) return
      containers.push(value)
      for (const key of ownKeys(value)) {
        const part = getOwnPropertyDescriptor(value, key)
        if (part === undefined || !('value' in part) || part.configurable !== true) continue
        places.push({ holder: value, key })
        visit(part.value)
      }
    }

    visit(root)
    if (places.length === 0) return
    const { holder, key } = pick(places)
    defineProperty(holder, key, {
      value: rng() < 0.5 ? holder : pick(containers),
      writable: true,
      enumerable: true,
      configurable: true
    })
  }
}
