import { parse, type SgNode } from '@ast-grep/napi'
import { bracketDepth, type Source } from '../text/source.js'
import type { FailureHook, Hit, RuleInfo, SyntaxResult } from '../types.js'
import { registerTreeLanguages, treeLanguages, type TreeLanguage } from './languages.js'

export type TreeNode = SgNode

export interface Tree {
  readonly root: TreeNode
  readonly source: Source
  /** All nodes of a kind, in the order of the text. */
  nodes (kind: string): TreeNode[]
}

/** Nodes of some kinds, and a question about each. A returned node is where the finding lies. */
export interface TreeRule extends RuleInfo {
  readonly engine: 'tree'
  readonly kinds: readonly string[]
  readonly when: (node: TreeNode, tree: Tree) => boolean | TreeNode | null
}

/** Questions about ancestors cost a step per level: nobody's code nests this deep. */
const maxDepth = 400

export function parseTree (source: Source, language: TreeLanguage): Tree | null {
  if (bracketDepth(source.text) > maxDepth) return null
  registerTreeLanguages()
  const root = parse(treeLanguages[language], source.text).root()
  const byKind = new Map<string, TreeNode[]>()
  return {
    root,
    source,
    nodes (kind) {
      const known = byKind.get(kind) ?? root.findAll({ rule: { kind } })
      byKind.set(kind, known)
      return known
    }
  }
}

export function runTreeRules (tree: Tree, rules: readonly TreeRule[], onFailure: FailureHook): Hit[] {
  const hits: Hit[] = []
  for (const rule of rules) {
    try {
      for (const kind of rule.kinds) {
        for (const node of tree.nodes(kind)) {
          const found = rule.when(node, tree)
          if (found === false || found === null) continue
          hits.push({ rule, line: placeOf(found === true ? node : found).range().start.line + 1 })
        }
      }
    } catch (error) {
      onFailure(rule.id, error)
    }
  }
  return hits
}

/** A call in a chain of several lines lies where its name stands, not where the chain begins. */
function placeOf (node: TreeNode): TreeNode {
  switch (String(node.kind())) {
    case 'method_invocation': return node.field('name') ?? node
    case 'call_expression': return node.field('function')?.field('field') ?? node
    case 'call': return node.field('function')?.field('attribute') ?? node
    default: return node
  }
}

/** Tree parsers repair what they cannot read: with an ERROR node, or with an empty leaf where something is missing. */
export function treeSyntax (tree: Tree): SyntaxResult {
  const error = tree.root.find({ rule: { kind: 'ERROR' } })
  const missing = tree.root.find({ rule: { regex: '^$', not: { has: { regex: '.*' } } } })
  const candidates = [error, missing].filter((node) => node !== null && !node.is(String(tree.root.kind())))
  const first = candidates.sort((a, b) => a!.range().start.index - b!.range().start.index)[0]
  if (first == null) return { ok: true }
  const text = first.text().trim().split('\n')[0]!.slice(0, 40)
  return { ok: false, line: first.range().start.line + 1, message: text === '' ? 'something is missing here' : `unexpected "${text}"` }
}
