import { either, isFixed, nothing, type Fact } from './facts.js'

/** Collections whose elements are told apart by a fixed key or place. */
const maps =
  /^(?:new:)?(?:\w*HashMap|TreeMap|Hashtable|Map|Properties|(?:configparser\.)?(?:Raw)?ConfigParser)(?:\(\))?$/
const lists = /^new:(?:ArrayList|LinkedList|Vector)\(\)$/
/** More elements are not told apart. */
const maxElements = 32

/** What a collection holds after a call; null where its elements are not told apart. */
export function keepElement(before: Fact, method: string, args: readonly Fact[]): Fact | null {
  const entries = before.entries ?? new Map<string, Fact>()
  if (entries.size >= maxElements) return null
  const [first] = args
  if (maps.test(before.path) && /^(?:put|set|setProperty)$/.test(method) && args.length > 1) {
    const [key, value] = [keyOf(args.slice(0, -1)), args.at(-1)!]
    return key === null ? null : withElements(before, new Map([...entries, [key, value]]), value)
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
export function elementAt(collection: Fact, keys: readonly Fact[]): Fact | null {
  const isKnown = maps.test(collection.path) || lists.test(collection.path)
  const key = isKnown ? keyOf(keys) : null
  return key === null ? null : (collection.entries?.get(key) ?? null)
}

/** A fixed key, or several of them: a section and a name in it. */
const keyOf = (keys: readonly Fact[]): string | null =>
  keys.length > 0 && keys.every(isKey) ? keys.map(({ text }) => text).join('\n') : null

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
