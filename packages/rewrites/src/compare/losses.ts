import type { Item } from './items.js'
import type { Measures } from './gains.js'

export interface Loss {
  what: string
  /**
   * How many inputs must depend on the item. `each`: every error and every wait. `half`: at least half of the
   * strings and numbers of a unit, because some cannot make a difference. `none`: it is enough that inputs
   * reached it with both results of a condition.
   */
  notice: 'each' | 'half' | 'none'
  /** The location in the original and the mistakes to make there. Null if only the text can tell. */
  mutant: { start: number; end: number; texts: string[] } | null
}

/** Methods that fill, copy and count. A loop needs them, but its replacement may not. */
const plumbing =
  /^(?:push|append|add|extend|len|size|length|range|enumerate|list|dict|set|keys|values|items|iter|into_iter|iter_mut|collect|map|filter|reduce|forEach|each|sum|get|has|toString|to_string|String|str|WriteString|join|concat|format|println|make|new|Vec|vec!|with_capacity|push_str|StringBuilder|ArrayList|HashMap|HashSet|stream|toList|next|hasNext|iterator|Sprintf|close|Close)$/

const words: Record<Item['kind'], string> = {
  text: 'the text',
  number: 'the number',
  constant: 'the constant',
  comparison: 'the comparison',
  condition: 'the condition',
  arithmetic: 'the calculation',
  throw: 'the error',
  await: 'the wait for',
  call: 'the call of',
  catch: 'the handling of errors',
  assignment: 'the assignment to'
}

function countBy(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

const keyOf = ({ kind, key }: Item): string => `${kind} ${key}`
const polarOf = ({ kind, polar }: Item): string => `${kind} ${polar}`

const maxWhat = 80

function describe({ kind, key }: Item): string {
  return `${words[kind]} ${key.length > maxWhat ? `${key.slice(0, maxWhat)}…` : key}`
}

const noticeOf: Partial<Record<Item['kind'], Loss['notice']>> = {
  text: 'half',
  number: 'half',
  throw: 'each',
  await: 'each'
}

/** Calls inside Promise.all are awaited as well, and so is the result of an async function. */
function isStillAwaited(item: Item, after: readonly Item[]): boolean {
  return (
    item.kind === 'await' &&
    after.some(({ kind, key }) => kind === 'await' && /^(?:all|allSettled|gather)$/.test(key)) &&
    after.some(({ kind, key }) => kind === 'call' && key === item.key)
  )
}

/** Whether the loop counts from the first element to the last, which a loop over the list does as well. */
function countsFirstToLast({ kind, key }: Item): boolean {
  return (
    (kind === 'number' && key === '0') ||
    (kind === 'comparison' && /^\w+ < .*(?:length|len\(|size\(\)|count)/.test(key)) ||
    (kind === 'call' && plumbing.test(key))
  )
}

export interface Versions {
  before: readonly Item[]
  after: readonly Item[]
  measures: { before: Measures; after: Measures }
}

/** The items that the rewrite removed. */
export function lossesOf({ before, after, measures }: Versions): Loss[] {
  const losses: Loss[] = []
  const now = countBy(after, keyOf)
  const nowPolar = countBy(after, polarOf)
  const old = countBy(before, keyOf)
  const isLessNested = measures.after.nesting < measures.before.nesting
  const countingLoops = (items: readonly Item[]): number =>
    new Set(items.filter(({ isHeader, kind }) => isHeader && kind === 'comparison').map(({ start }) => start))
      .size
  const hasFewerLoops = countingLoops(after) < countingLoops(before)
  const added = after.filter((item) => !old.has(keyOf(item)))
  const addedKinds = new Set(added.map(({ kind }) => kind))
  const seen = new Map<string, number>()

  for (const item of before) {
    const key = keyOf(item)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    const kept = now.get(key) ?? 0
    const isKept =
      nth <= kept ||
      (kept > 0 && !addedKinds.has(item.kind) && item.kind !== 'throw' && item.kind !== 'await')
    if (isKept) {
      if (nowPolar.has(polarOf(item)) || isLessNested) continue
      losses.push(toLoss(item, `${describe(item)} is turned round`))
      continue
    }
    if (item.isHeader && hasFewerLoops && countsFirstToLast(item)) continue
    if (isStillAwaited(item, after)) continue
    losses.push(toLoss(item, describe(item)))
  }
  return losses
}

function toLoss(item: Item, what: string): Loss {
  const { kind, start, end, mutant } = item
  return {
    what,
    notice: noticeOf[kind] ?? 'none',
    mutant: mutant === null ? null : { start, end, texts: [mutant, ...otherMistakes(item)] }
  }
}

/** Alternatives for items where one mistake may make no difference, such as a longer string behind `<=`. */
function otherMistakes({ kind, key }: Item): string[] {
  if (kind === 'number') return [`(${key} - 1)`]
  return kind === 'text' ? [key.slice(0, -1), ''] : []
}
