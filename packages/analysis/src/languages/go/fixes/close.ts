import { staysIn } from '../stays.js'
import { ancestor, below, following, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { Tree, TreeNode } from '../../../tree/tree.js'
import { maxCandidates } from '../../../fix/edits.js'
import { type Rewrite } from '../../../fix/rewrite.js'
import { remember } from '../../../remember.js'

const opens: readonly (readonly [calls: RegExp, close: string])[] = [
  [/^os\.(?:Open|Create|OpenFile)$/, '.Close()'],
  [/^http\.(?:Get|Post|Head|PostForm)$/, '.Body.Close()'],
  [/^(?:\w+\.)*(?:db|DB|tx|conn|pool)\.(?:Query|QueryContext)$/, '.Close()']
]
const lookedAt = remember(() => ({ count: 0 }))

/** The check of the error, with a deferred close behind it. */
function closedLater(node: TreeNode, tree: Tree): string | null {
  const scope = ancestor(node, ['function_declaration', 'method_declaration', 'func_literal'])
  const declaration = node.prev()
  if (scope === null || kindOf(declaration) !== 'short_var_declaration') return null
  if (following(declaration!)?.id() !== node.id()) return null
  const [name, error, ...others] = named(declaration!.field('left'))
  const [call] = named(declaration!.field('right'))
  const callee = kindOf(call) === 'call_expression' ? textOf(call!.field('function')) : ''
  const close = opens.find(([calls]) => calls.test(callee))?.[1]
  if (close === undefined || name === undefined || error === undefined || others.length > 0) return null
  if (++lookedAt(tree).count > maxCandidates) return null
  if (name.text() === '_' || textOf(node.field('condition')) !== `${error.text()} != nil`) return null
  const leaves =
    /\n[ \t]*(?:return\b.*|log\.Fatal\w*\(.*\)|panic\(.*\)|os\.Exit\(.*\)|t\.Fatal\w*\(.*\))[ \t]*\n?[ \t]*\}$/
  if (node.field('alternative') !== null || !leaves.test(node.text())) return null
  if (
    ancestor(node, ['for_statement'], ['function_declaration', 'method_declaration', 'func_literal']) !== null
  ) {
    return null
  }
  const body = scope.field('body')
  const isBody = close === '.Body.Close()'
  const bindings = below(scope, 'short_var_declaration').filter((each) =>
    named(each.field('left')).some((left) => left.text() === name.text())
  )
  if (body === null || bindings.length !== 1 || kindOf(scope) === 'func_literal') return null
  if (
    new RegExp(`\\b${name.text()}${isBody ? '\\.Body' : ''}\\.Close\\b|\\b${name.text()}\\s*=[^=]`).test(
      body.text()
    )
  ) {
    return null
  }
  if (!staysIn(scope, name.text(), isBody ? 'Body' : '')) return null
  const { text } = tree.source
  const start = node.range().start.index
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[ \t]*$/.test(indent) ? `${node.text()}\n${indent}defer ${name.text()}${close}` : null
}

export const goCloses: readonly Rewrite[] = [
  {
    language: 'go',
    ruleId: 'go/resource-leak',
    kind: 'if_statement',
    description: 'Closed what was opened, with defer.',
    rewrite: closedLater,
    about: (node) => node.prev()
  }
]
