import { addTo } from '../../../lists.js'
import { ancestor, below, kindOf, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { maxCandidates } from '../../../fix/edits.js'
import { type Rewrite } from '../../../fix/rewrite.js'
import { remember } from '../../../remember.js'

/**
 * Commands that always answer with exactly one path or name. Others, such as `readlink`, `git rev-parse` or
 * `cd … && ls`, may answer with nothing or with several words, which quotes would change.
 */
const operand = /(?:'[^']+'|"[^"@*]+"|\$\{?\w+\}?|[\w./][\w./:%+-]*)/.source
const script = /(?:"?\$\{?0\}?"?|[\w./][\w./:%+-]*)/.source
const commands = [
  String.raw`mktemp(?:\s+-\w+)*(?:\s+${operand})?`,
  String.raw`dirname\s+${operand}`,
  String.raw`basename\s+${script}(?:\s+[\w.]+)?`,
  String.raw`pwd(?:\s+-[LP])?`,
  'whoami',
  String.raw`hostname(?:\s+-[sf])?`
]
const givesOne = new RegExp(String.raw`^"?\$\(\s*(?:${commands.join('|')})\s*\)"?$`)

/** Names that are given a value once, by a command that answers with one word. */
const singles = remember((tree: Tree) => {
  const counts = new Map<string, TreeNode[]>()
  for (const each of tree.nodes('variable_assignment')) addTo(counts, textOf(each.field('name')), each)
  const isSet = /\b(?:read|getopts|mapfile|readarray|printf -v|for|select|local|declare)\b[^\n;]*/g
  const others = tree.source.text.match(isSet)?.join(' ') ?? ''
  return new Set(
    [...counts]
      .filter(([name, list]) => {
        const value = textOf(list[0]!.field('value'))
        const isOnce = list.length === 1 && !list[0]!.text().includes('+=')
        const isLocal = new RegExp(`\\b(?:local|declare) ${name}=`).test(others)
        return isOnce && givesOne.test(value) && (isLocal || !new RegExp(`\\b${name}\\b`).test(others))
      })
      .map(([name]) => name)
  )
})

/** A word that a loop walks over: it is never empty and no several words. */
function isLoopWord(node: TreeNode, name: string): boolean {
  const loop = ancestor(node, ['for_statement'])
  if (loop === null || textOf(loop.field('variable')) !== name) return false
  const body = loop.field('body')
  const words = loop
    .children()
    .filter((each) => each.isNamed() && each.range().end.index <= (body?.range().start.index ?? 0))
  const values = words.slice(1)
  const isChanged =
    body === null ||
    below(body, 'variable_assignment').some((each) => textOf(each.field('name')) === name) ||
    new RegExp(`\\b(?:read|set)\\b[^\\n]*\\b${name}\\b`).test(body.text())
  // What stands in quotes may be several words on purpose, to fall apart later.
  return !isChanged && values.length > 0 && values.every((each) => !/["'@{\\]/.test(each.text()))
}

const lookedAt = remember(() => ({ count: 0 }))

function quoted(node: TreeNode, tree: Tree): string | null {
  const name = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(node.text())
  const own = name?.[1] ?? name?.[2]
  if (
    own === undefined ||
    /^#!.*\b(?:zsh|t?csh|fish)\b/.test(tree.source.text) ||
    /\bIFS=/.test(tree.source.text)
  ) {
    return null
  }
  const parent = node.parent()
  const command = kindOf(parent) === 'concatenation' ? parent!.parent() : parent
  if (kindOf(command) !== 'command') return null
  // The command itself, and what sets names, reads its words in another way.
  if (textOf(command!.field('name')).includes(node.text())) return null
  if (
    /^(?:eval|set|export|local|declare|readonly|typeset|alias|test|\[)$/.test(textOf(command!.field('name')))
  ) {
    return null
  }
  if (singles(tree).has(own)) return `"${node.text()}"`
  return ++lookedAt(tree).count <= maxCandidates && isLoopWord(node, own) ? `"${node.text()}"` : null
}

export const shellQuotes: readonly Rewrite[] = ['simple_expansion', 'expansion'].map((kind) => ({
  language: 'shell',
  ruleId: 'sh/unquoted-variable',
  kind,
  description: 'Put the variable into quotes.',
  rewrite: quoted
}))
