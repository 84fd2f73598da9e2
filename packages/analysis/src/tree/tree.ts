import { parse, type SgNode, type SgRoot } from '@ast-grep/napi'
import { createRecent } from '../recent.js'
import type { Source } from '../text/source.js'
import type { FailureHook, Hit, RuleInfo, SyntaxResult } from '../types.js'
import { createEnclosing, type Enclosing } from './ancestors.js'
import { hasGarbage } from './garbage.js'
import { treeLanguages, type TreeLanguage } from './languages.js'
import { registerTreeLanguages } from './register.js'

export type TreeNode = SgNode

export interface Tree {
  readonly root: TreeNode
  readonly source: Source
  /** Finds the nodes of many kinds in one go; asked for one by one, each kind costs a walk over the tree. */
  load(kinds: readonly string[]): void
  /** All nodes of a kind, in the order of the text. */
  nodes(kind: string): TreeNode[]
  /** The innermost node of one of these kinds around a node. */
  enclosing(kinds: readonly string[]): Enclosing
}

/**
 * Nodes of some kinds, and a question about each. A returned node is where the finding lies, a number its
 * line. Likely is what the code does not prove: a warning at most.
 */
export interface TreeRule extends RuleInfo {
  readonly engine: 'tree'
  readonly kinds: readonly string[]
  readonly when: (node: TreeNode, tree: Tree) => boolean | 'likely' | TreeNode | number | null
  /**
   * Code without this text cannot have the flaw: saves the questions to its nodes, each of which crosses into
   * native code.
   */
  readonly only?: RegExp
  /** Names what was found; the rule's sentence when absent. */
  readonly message?: (found: TreeNode) => string
}

/** Questions about ancestors cost a step per level: nobody's code nests this deep. */
const maxDepth = 400
const maxOperators = 800

/**
 * Null for code that is nested too deeply or that is no code at all.
 * @param options.isValid another parser has read the code, so that this one will have nothing to recover from.
 */
export function parseTree(source: Source, language: TreeLanguage, { isValid = false } = {}): Tree | null {
  const { brackets, operators } = source.nesting(language)
  if (brackets > maxDepth || (language !== 'html' && operators > maxOperators)) return null
  if (!isValid && hasGarbage(source, language)) return null
  return recent(language, source.text, () => createTree(source, language))
}

const recent = createRecent<Tree>()

/** The text without what the grammar does not know. The offsets stay. */
function withoutNewSyntax(text: string, language: TreeLanguage): string {
  // Fragments of macros: `$inner:pat_param`.
  if (language === 'rust') {
    return text.replace(
      /(\$\w+\s*:\s*)(pat_param|expr_2021)\b/g,
      (_, head: string, fragment: string) => head + fragment.split('_')[0]!.padEnd(fragment.length)
    )
  }
  // Annotated variable arity: `String @Nullable ... items`.
  return language === 'java' ? text.replace(/@\w+(?= ?\.\.\.)/g, (found) => ' '.repeat(found.length)) : text
}

function createTree(source: Source, language: TreeLanguage): Tree {
  registerTreeLanguages()
  const { brackets, operators } = source.nesting(language)
  const mayBeLong = brackets > 40 || operators > 100
  const parsed = parse(treeLanguages[language], withoutNewSyntax(source.text, language))
  const root = parsed.root()
  const byKind = new Map<string, TreeNode[]>()
  const enclosings = new Map<string, Enclosing>()
  const tree: Tree = {
    root,
    source,
    load(kinds) {
      const missing = kinds.filter((kind) => !byKind.has(kind))
      for (const kind of missing) byKind.set(kind, [])
      if (missing.length === 0) return
      for (const node of root.findAll({ rule: { any: missing.map((kind) => ({ kind })) } })) {
        const kind = String(node.kind())
        const list = byKind.get(kind)
        const isTooLong = mayBeLong && isExpression.test(kind) && spanOf(node) > maxExpressionChars
        if (list !== undefined && list.length < maxNodesPerKind && !isTooLong) list.push(node)
      }
    },
    nodes(kind) {
      this.load([kind])
      return byKind.get(kind) ?? []
    },
    enclosing(kinds) {
      const key = kinds.join(' ')
      const known = enclosings.get(key) ?? createEnclosing(root, kinds)
      enclosings.set(key, known)
      return known
    }
  }
  trees.set(parsed, tree)
  return tree
}

const trees = new WeakMap<SgRoot, Tree>()

/** The tree that a node is part of. */
export function treeOf(node: TreeNode): Tree {
  return trees.get(node.getRoot())!
}

/** Far more than people write in 256 KiB; every question about a node is a call into native code. */
const maxNodesPerKind = 20_000

/** A sum of thousands of terms nests as deep: reading the text of each level would be quadratic. */
const maxExpressionChars = 10_000
const isExpression = /expression$|^call$|^method_invocation$|operator$/

function spanOf(node: TreeNode): number {
  const { start, end } = node.range()
  return end.index - start.index
}

export function runTreeRules(tree: Tree, rules: readonly TreeRule[], onFailure: FailureHook): Hit[] {
  const hits: Hit[] = []
  tree.load([...new Set(rules.flatMap(({ kinds }) => kinds))])
  for (const rule of rules) {
    if (rule.only?.test(tree.source.text) === false) continue
    try {
      for (const kind of rule.kinds) {
        for (const node of tree.nodes(kind)) {
          const found = rule.when(node, tree)
          if (found === false || found === null) continue
          const place = typeof found === 'object' ? found : node
          const line = typeof found === 'number' ? found : placeOf(place).range().start.line + 1
          const words = rule.message === undefined ? {} : { message: rule.message(place) }
          hits.push({ rule, line, isLikely: found === 'likely', ...words })
        }
      }
    } catch (error) {
      onFailure(rule.id, error)
    }
  }
  return hits
}

/** A call in a chain of several lines lies where its name stands, not where the chain begins. */
function placeOf(node: TreeNode): TreeNode {
  switch (String(node.kind())) {
    case 'method_invocation':
      return node.field('name') ?? node
    case 'call_expression':
      return node.field('function')?.field('field') ?? node
    case 'call':
      return node.field('function')?.field('attribute') ?? node
    default:
      return node
  }
}

/**
 * Tree parsers repair what they cannot read: with an ERROR node, or with an empty leaf where something is
 * missing.
 * @param holders kinds of nodes that hold such leaves.
 */
export function treeSyntax(tree: Tree, holders: readonly string[]): SyntaxResult {
  const error = tree.root.find({ rule: { kind: 'ERROR' } })
  tree.load(holders)
  const missing = holders
    .flatMap((kind) => tree.nodes(kind))
    .flatMap((node) =>
      node.children().filter((child) => spanOf(child) === 0 && child.children().length === 0)
    )
  const candidates = [...missing, ...(error === null ? [] : [error])]
  const first = candidates.sort((a, b) => a.range().start.index - b.range().start.index)[0]
  if (first === undefined) return { ok: true }
  const text = first.text().trim().split('\n')[0]!.slice(0, 40)
  return {
    ok: false,
    line: first.range().start.line + 1,
    message: text === '' ? 'something is missing here' : `unexpected "${text}"`
  }
}
