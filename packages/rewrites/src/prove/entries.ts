import ts from 'typescript'
import { callOf } from './calls.js'
import type { Entry } from './trace.js'
import type { LoadedCode } from './machine.js'
import type { ModuleText } from './module-text.js'

const MAX_ENTRIES = 8
/** The number of entry points that are called to see what they return. */
const MAX_CALLED = 16
const MAX_DEPTH = 3

/** The entry points of the code, and the functions that they return. */
export async function everyEntry(loaded: LoadedCode, module: ModuleText): Promise<Entry[]> {
  const found = [...loaded.entries]
  const called = found.filter(({ isHandler, before }) => !isHandler && before === undefined)
  for (const before of called.slice(0, MAX_CALLED)) {
    const results = await loaded.resultsOf(callOf(before, module).render(new Map()))
    found.push(...results.map((entry) => ({ ...entry, before })))
  }
  return found.filter(({ name }) => !module.hidden.has(name))
}

/**
 * The entries that may run a line: first those whose text contains it, then those that name a function around it,
 * also through others.
 */
export function entriesNear(
  entries: readonly Entry[],
  code: string,
  line: number,
  module: ModuleText
): Entry[] {
  const text = (code.split('\n')[line - 1] ?? '').trim()
  const distances = distancesTo(text, module)
  const distanceOf = ({ name, source }: Entry): number => {
    if (text !== '' && source.includes(text)) return 0
    const words = new Set(source.match(/[\w$]+/g))
    const named = [...distances].flatMap(([each, distance]) => (words.has(each) ? [distance + 1] : []))
    return Math.min(MAX_DEPTH + 1, (distances.get(name) ?? MAX_DEPTH) + 1, ...named)
  }
  return entries
    .map((entry) => ({ entry, distance: distanceOf(entry) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry)
}

/** How many calls lie between each named function and the one that contains the text. */
function distancesTo(text: string, { source }: ModuleText): Map<string, number> {
  const named: Array<{ name: string; text: string }> = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) {
      const name =
        node.name ??
        (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
          ? node.parent.name
          : ts.isBinaryExpression(node.parent) && ts.isPropertyAccessExpression(node.parent.left)
            ? node.parent.left.name
            : undefined)
      if (name !== undefined && ts.isIdentifier(name)) {
        named.push({ name: name.text, text: node.getText(source) })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const distances = new Map<string, number>()
  if (text === '') return distances
  for (const each of named) if (each.text.includes(text)) distances.set(each.name, 0)
  for (let distance = 1; distance <= MAX_DEPTH; distance++) {
    const known = new Set(distances.keys())
    for (const each of named) {
      if (known.has(each.name)) continue
      if (each.text.match(/[\w$]+/g)?.some((word) => known.has(word)) === true) {
        distances.set(each.name, distance)
      }
    }
  }
  return distances
}
