/**
 * The answer for each node, variable, scope or tree is computed once: rules of one language ask the same things of
 * them, and large code asks thousands of times.
 */
export function remember<K extends object, T>(ask: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { answer: T }>()
  return (key) => {
    const seen = known.get(key)
    if (seen !== undefined) return seen.answer
    const answer = ask(key)
    known.set(key, { answer })
    return answer
  }
}
