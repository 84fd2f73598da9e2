/**
 * The answer for each node, variable, scope or tree is computed once: rules of one language ask the same things of
 * them, and large code asks thousands of times. Further arguments are the same for every question about a key.
 */
export function remember<K extends object, T, More extends unknown[] = []>(
  ask: (key: K, ...more: More) => T
): (key: K, ...more: More) => T {
  const known = new WeakMap<K, { answer: T }>()
  return (key, ...more) => {
    const seen = known.get(key)
    if (seen !== undefined) return seen.answer
    const answer = ask(key, ...more)
    known.set(key, { answer })
    return answer
  }
}
