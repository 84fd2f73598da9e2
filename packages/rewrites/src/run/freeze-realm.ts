/**
 * Runs inside the sandbox, in the harness's own realm. It must not refer to anything outside itself. Freezes
 * all built-in objects of the language.
 */
export function freezeRealm(): void {
  'use strict'
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
  const seen = new Set<unknown>()
  // Objects that can be reached only through syntax.
  const todo: unknown[] = [
    globalThis,
    function* () {},
    async () => {},
    async function* () {},
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    /a/[Symbol.matchAll]('')
  ]
  while (todo.length > 0) {
    const value = todo.pop()
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) {
      continue
    }
    seen.add(value)
    todo.push(getPrototypeOf(value))
    for (const key of ownKeys(value)) {
      const part = getOwnPropertyDescriptor(value, key)!
      todo.push(part.value, part.get, part.set)
    }
    Object.freeze(value)
  }
}
