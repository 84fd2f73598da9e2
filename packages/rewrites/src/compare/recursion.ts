import { kindOf, named, type TreeNode, type Unit } from '@filewright/analysis/parsing'
import { callable } from './heads.js'
import { wordOf } from './sides.js'

/** Names of the functions in these units that are recursive. */
export function recursiveIn(units: readonly Unit[]): string[] {
  const found: string[] = []
  const visit = (node: TreeNode, outer: string): void => {
    const own = node.field('name')?.text()
    const name = own ?? outer
    if (callable.test(kindOf(node)) && /^[\w$]+$/.test(name)) {
      const calls = new RegExp(
        `(?<![\\w$]|(?<!\\.\\.)\\.)(?:(?:self|this|cls)\\s*\\.\\s*)?${escaped(name)}\\s*\\(`
      )
      if (calls.test(node.field('body')?.text() ?? '')) found.push(name)
    }
    for (const child of named(node)) visit(child, own ?? '')
  }
  for (const unit of units) visit(unit.node, wordOf(unit))
  return found
}

const escaped = (name: string): string => name.replaceAll('$', '\\$')
