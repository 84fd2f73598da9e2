import { kindOf, literalOf, named, stringKinds, textOf } from '../../tree/nodes.js'
import type { TreeNode } from '../../tree/tree.js'
import type { Lowering, Syntax } from './lowering.js'

export type TreeLowering = Lowering<TreeNode>

/** How the trees of ast-grep are read. */
export const treeSyntax: Syntax<TreeNode> = {
  kindOf,
  textOf,
  lineOf: (node) => node.range().start.line + 1,
  operatorOf: (node) => textOf(node.field('operator')),
  field: (node, name) => node.field(name),
  parts: (node, name) => named(name === undefined ? node : (node?.field(name) ?? null)),
  literalOf: (node, kind) => (stringKinds.test(kind) ? literalOf(node) : null)
}
