import { remember } from '../remember.js'
import type { Tree } from './tree.js'

/**
 * The names that a pattern's first group takes from a text: searched once, where a search for every name
 * would read the text as often.
 */
export function namesIn(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(pattern), (match) => match[1]!))
}

/** How often each word stands in a text; `pattern` says what a word is. */
export function countsIn(text: string, pattern = /\w+/g): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(pattern)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** How often each word stands in the whole code. */
export const wordCounts = remember((tree: Tree) => countsIn(tree.source.text))
