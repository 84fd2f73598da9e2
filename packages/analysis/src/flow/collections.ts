import { either, isFixed, nothing, type Fact } from './facts.js'

/** Collections whose elements are told apart by a fixed key or place. */
const maps = /^(?:new:)?(?:\w*HashMap|TreeMap|Hashtable|Map)(?:\(\))?$/
const lists = /^new:(?:ArrayList|LinkedList|Vector)\(\)$/
/** More elements are not told apart. */
const maxElements = 32

/** What a collection holds after a call; null where its elements are not told apart. */
export function keepElement(before: Fact, method: string, args: readonly Fact[]): Fact | null {
  const entries = before.entries ?? new Map<string, Fact>()
  if (entries.size >= maxElements) return null
  const [first, second] = args
  if (maps.test(before.path) && /^(?:put|set)$/.test(method) && args.length === 2 && isKey(first)) {
    return withElements(before, new Map([...entries, [first.text, second!]]), second!)
  }
  if (!lists.test(before.path)) return null
  if (method === 'add' && args.length === 1 && isWhole(entries)) {
    return withElements(before, new Map([...entries, [String(entries.size), first!]]), first!)
  }
  if (method === 'remove' && args.length === 1 && isKey(first) && entries.has(first.text)) {
    const left = [...entries].filter(([key]) => key !== first.text).map(([, fact]) => fact)
    const moved = new Map(left.map((fact, index) => [String(index), fact]))
    return {
      ...before,
      ...left.reduce(either, nothing),
      path: before.path,
      text: null,
      entries: moved,
      isObject: before.isObject
    }
  }
  return null
}

/** The element that a fixed key or place stands for; null where nothing is known about it. */
export function elementAt(collection: Fact, key: Fact | undefined): Fact | null {
  const isKnown = maps.test(collection.path) || lists.test(collection.path)
  return isKnown && isKey(key) ? (collection.entries?.get(key.text) ?? null) : null
}

function isKey(fact: Fact | undefined): fact is Fact & { text: string } {
  return fact !== undefined && fact.text !== null && isFixed(fact)
}

/** Whether the places of a list count from 0 without a gap. */
const isWhole = (entries: ReadonlyMap<string, Fact>): boolean =>
  [...entries.keys()].every((key, index) => key === String(index))

function withElements(before: Fact, entries: ReadonlyMap<string, Fact>, added: Fact): Fact {
  const all = either(before, { ...added, path: '', text: null, built: null, isJoined: false, entries: null })
  return { ...all, path: before.path, entries, isObject: before.isObject }
}
