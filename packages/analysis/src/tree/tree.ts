import { parse, type SgNode } from '@ast-grep/napi'
import { bracketDepth, operatorDepth, type Source } from '../text/source.js'
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
const maxOperators = 800

/** Null for code that is nested too deeply or that is no code at all. */
export function parseTree (source: Source, language: TreeLanguage): Tree | null {
  if (bracketDepth(source.text) > maxDepth) return null
  if (language !== 'html' && operatorDepth(source.text) > maxOperators) return null
  if (garbageLine(source, language) !== null) return null
  registerTreeLanguages()
  const root = parse(treeLanguages[language], source.text).root()
  const byKind = new Map<string, TreeNode[]>()
  return {
    root,
    source,
    nodes (kind) {
      const known = byKind.get(kind) ?? root.findAll({ rule: { kind } }).slice(0, maxNodesPerKind)
        .filter((node) => !isExpression.test(kind) || spanOf(node) <= maxExpressionChars)
      byKind.set(kind, known)
      return known
    }
  }
}

/** Far more than people write in 256 KiB; every question about a node is a call into native code. */
const maxNodesPerKind = 20_000

/** A sum of thousands of terms nests as deep: reading the text of each level would be quadratic. */
const maxExpressionChars = 10_000
const isExpression = /expression$|^call$|^method_invocation$|operator$/

function spanOf (node: TreeNode): number {
  const { start, end } = node.range()
  return end.index - start.index
}

const windowChars = 2_048
/** Pieces of code cut anywhere stay below 5, text that is no code lies above 130. */
const maxPiecesPerWindow = 80

const judged = new WeakMap<Source, number | null>()

/**
 * The first line of a stretch that is no code in this language. The parsers' recovery from errors takes minutes and gigabytes on long
 * stretches of it, and nothing can stop a native call; on a small window it is quick, and errors in code that was merely cut are few.
 */
export function garbageLine (source: Source, language: TreeLanguage): number | null {
  const known = judged.get(source)
  if (known !== undefined) return known
  registerTreeLanguages()
  let line: number | null = null
  for (let at = 0; source.text.length > windowChars && at < source.text.length && line === null; at += windowChars) {
    const errors = parse(treeLanguages[language], source.text.slice(at, at + windowChars)).root().findAll({ rule: { kind: 'ERROR' } })
    const pieces = errors.reduce((count, error) => count + error.children().length, 0)
    if (pieces > maxPiecesPerWindow) line = source.lineAt(at + errors[0]!.range().start.index)
  }
  judged.set(source, line)
  return line
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
