import type { Item } from './items.js'
import type { Measures } from './gains.js'

export interface Loss {
  what: string
  /** The place in the code before and a mistake to make there; null where only the text can tell. */
  mutant: { start: number; end: number; text: string } | null
}

/** Ways to fill, copy and count: what a loop is built from, and what its replacement has no need of. */
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

/** Kinds that a rewrite has no business adding where nobody can run it. */
const additions = new Set<Item['kind']>([
  'text',
  'number',
  'constant',
  'comparison',
  'throw',
  'catch',
  'arithmetic'
])

/** Calls inside Promise.all are waited for as well, and so is what an async function returns. */
function isStillAwaited(item: Item, after: readonly Item[]): boolean {
  return (
    item.kind === 'await' &&
    after.some(({ kind, key }) => kind === 'await' && /^(?:all|allSettled|gather)$/.test(key)) &&
    after.some(({ kind, key }) => kind === 'call' && key === item.key)
  )
}

/** From the first to the last: what a loop over the list itself does as well. */
function countsThrough({ kind, key }: Item): boolean {
  return (
    (kind === 'number' && key === '0') ||
    (kind === 'comparison' && /^\w+ < .*(?:length|len\(|size\(\)|count)/.test(key)) ||
    (kind === 'call' && plumbing.test(key))
  )
}

/**
 * What a function of the language does by itself: collecting, counting from 0 by 1, answering with true or
 * false.
 */
function isBuiltIn({ kind, key }: Item, after: readonly Item[]): boolean {
  if (kind === 'call') return plumbing.test(key)
  const calls = (names: RegExp): boolean => after.some((each) => each.kind === 'call' && names.test(each.key))
  if (kind === 'number') return /^[01]$/.test(key) && calls(/^(?:count|sum|len|Count)$/)
  return (
    kind === 'constant' &&
    /^(?:true|false)$/i.test(key) &&
    calls(/^(?:any|all|anyMatch|allMatch|noneMatch|contains|Contains|exists)$/)
  )
}

export interface Versions {
  before: readonly Item[]
  after: readonly Item[]
  measures: { before: Measures; after: Measures }
  /** Its functions can be run: what is lost may still be proven to make no difference. */
  canRun: boolean
}

/** What the rewrite no longer says or does. */
export function lossesOf({ before, after, measures, canRun }: Versions): Loss[] {
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
      losses.push({ what: `${describe(item)} is turned round`, mutant: toMutant(item) })
      continue
    }
    if (item.isHeader && hasFewerLoops && countsThrough(item)) continue
    if (!canRun && isBuiltIn(item, after)) continue
    if (isStillAwaited(item, after)) continue
    losses.push({ what: describe(item), mutant: toMutant(item) })
  }
  if (!canRun) {
    for (const item of added) {
      if (additions.has(item.kind) && !item.isHeader) {
        losses.push({ what: `adds ${describe(item)}`, mutant: null })
      }
    }
  }
  return losses
}

function toMutant({ start, end, mutant }: Item): Loss['mutant'] {
  return mutant === null ? null : { start, end, text: mutant }
}
