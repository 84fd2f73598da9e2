import { kindOf, remember } from './nodes.js'
import { treeOf, type Tree, type TreeNode } from './tree.js'

/** The names that a pattern's first group takes from a text: searched once, where a search for every name would read the text as often. */
export function namesIn (text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(pattern), (match) => match[1]!))
}

/** How often each word stands in a text; `pattern` says what a word is. */
export function countsIn (text: string, pattern = /\w+/g): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(pattern)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** How often each word stands in the whole code. */
export const wordCounts = remember((tree: Tree) => countsIn(tree.source.text))

/** Adds to a list of many; a new list each time would take the square of their number. */
export function addTo<T> (lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Of a name that is made in more places than this, the first ones tell enough. */
const maxOrigins = 20
const maxOriginChars = 2_000

interface Origin {
  place: number
  value: () => string
}

/** Tells what the names in an expression were made from, in the scope around it: the right sides of their declarations. */
export function createOrigins (
  declaration: string, parts: (declared: TreeNode) => { names: string[], value: TreeNode | null }
): (node: TreeNode, scope: TreeNode | null) => string[] {
  const byName = remember((tree: Tree): ReadonlyMap<string, Origin[]> => {
    const known = new Map<string, Origin[]>()
    for (const declared of tree.nodes(declaration)) {
      const { names, value } = parts(declared)
      const origin = { place: declared.range().start.index, value: () => value === null ? '' : value.text().slice(0, maxOriginChars) }
      for (const name of names) addTo(known, name, origin)
    }
    return known
  })
  return (node, scope) => {
    if (scope === null) return []
    const { start, end } = scope.range()
    const known = byName(treeOf(node))
    return [...identifiersIn(node)]
      .flatMap((name) => (known.get(name) ?? []).filter(({ place }) => place >= start.index && place < end.index).slice(0, maxOrigins))
      .map(({ value }) => value())
  }
}

function identifiersIn (node: TreeNode): Set<string> {
  return new Set((kindOf(node) === 'identifier' ? [node] : node.findAll({ rule: { kind: 'identifier' } })).map((each) => each.text()))
}
