import { ancestor, named } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { countsIn, namesIn } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'

export const functions = ['function_declaration', 'method_declaration', 'func_literal']

export const inLoop = remember((node: TreeNode) => ancestor(node, ['for_statement'], functions))

export const handedOn = /\b\w+\b(?=[,})])/g

/** What a function says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return {
    texts: namesIn(text, /\b(\w+)\s*(?::=\s*["`]|=\s*"|\s+string\b)/g),
    made: namesIn(text, /\b(\w+)\s*=\s*\w/g),
    // A function that gets its address can assign it.
    addressed: namesIn(text, /&(\w+)\b/g),
    closed: namesIn(text, /\b(\w+)\.Close/g),
    bodiesClosed: namesIn(text, /\b(\w+)\.Body\.Close/g),
    unlocked: namesIn(text, /(?<![\w.])([\w.]+\.R?Unlock)/g),
    returned: new Set(
      Array.from(text.matchAll(/return([^\n]*)/g), ([, rest]) => [
        ...namesIn(rest!, /\b(\w+)\b(?!\.)/g)
      ]).flat()
    ),
    inLiterals: new Set(
      Array.from(text.matchAll(/\w\{([^}]*)/g), ([, rest]) => rest!.match(/\w+/g) ?? []).flat()
    ),
    handedOn: countsIn(text, handedOn),
    hasBareReturn: /\breturn\s*(?:\n|\})/.test(text)
  }
})

export const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, functions)
  return scope === null ? null : { node: scope, ...factsOf(scope) }
})

export function declaredNames(declaration: TreeNode): string[] {
  return named(declaration.field('left')).map((name) => name.text())
}
