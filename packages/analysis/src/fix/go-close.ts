import { ancestor, below, following, kindOf, named, textOf } from '../tree/nodes.js'
import type { Tree, TreeNode } from '../tree/tree.js'
import { maxCandidates } from './edits.js'
import { perTree, type Rewrite } from './rewrite.js'

const opens: readonly (readonly [calls: RegExp, close: string])[] = [
  [/^os\.(?:Open|Create|OpenFile)$/, '.Close()'],
  [/^http\.(?:Get|Post|Head|PostForm)$/, '.Body.Close()'],
  [/^(?:\w+\.)*(?:db|DB|tx|conn|pool)\.(?:Query|QueryContext)$/, '.Close()']
]
/** Functions that are done with what they read or write when they return. */
const finishes =
  /^(?:io\.(?:ReadAll|Copy|CopyN|WriteString|ReadFull)|ioutil\.ReadAll|fmt\.(?:Fprint(?:f|ln)?|Fscan(?:f|ln)?))$/
/** Readers around it, which must stay in the function as well. */
const wraps =
  /^(?:bufio\.New(?:Scanner|Reader|Writer)|json\.New(?:Decoder|Encoder)|csv\.New(?:Reader|Writer)|xml\.New(?:Decoder|Encoder)|gob\.New(?:Decoder|Encoder))$/

/** Where a name is made: on the left of `:=`. On the right of it, and behind a return, it is handed on. */
function isDeclared(node: TreeNode): boolean {
  const list = node.parent()
  const declaration = kindOf(list) === 'expression_list' ? list!.parent() : null
  return kindOf(declaration) === 'short_var_declaration' && declaration!.field('left')?.id() === list!.id()
}

/** Whether nothing that a name holds leaves the function: it is asked, read to its end, or wrapped. */
function stays(name: string, scope: TreeNode, path: string, steps = 0): boolean {
  return below(scope, 'identifier')
    .filter((each) => each.text() === name && !isDeclared(each))
    .every((each) => {
      let node = each
      let parent = node.parent()
      // `resp.Body` is what is read; other fields are values of their own.
      if (path !== '' && kindOf(parent) === 'selector_expression') {
        if (textOf(parent!.field('field')) !== path) return true
        node = parent!
        parent = node.parent()
      }
      if (ancestor(each, ['func_literal'], ['function_declaration', 'method_declaration']) !== null) {
        return false
      }
      if (kindOf(parent) === 'selector_expression' && parent!.field('operand')?.id() === node.id()) {
        return kindOf(parent!.parent()) === 'call_expression'
      }
      if (kindOf(parent) !== 'argument_list') return false
      const call = parent!.parent()!
      const callee = textOf(call.field('function'))
      return finishes.test(callee) || (wraps.test(callee) && wrapperStays(call, scope, steps))
    })
}

function wrapperStays(call: TreeNode, scope: TreeNode, steps: number): boolean {
  const parent = call.parent()
  if (kindOf(parent) === 'selector_expression') return kindOf(parent!.parent()) === 'call_expression'
  const declaration = kindOf(parent) === 'expression_list' ? parent!.parent() : null
  const [name, ...others] = named(declaration?.field('left') ?? null)
  return (
    kindOf(declaration) === 'short_var_declaration' &&
    name !== undefined &&
    others.length === 0 &&
    steps === 0 &&
    stays(name.text(), scope, '', 1)
  )
}

const lookedAt = perTree(() => ({ count: 0 }))

/** The check of the error, with a deferred close behind it. */
function closedLater(node: TreeNode, tree: Tree): string | null {
  const scope = ancestor(node, ['function_declaration', 'method_declaration', 'func_literal'])
  const declaration = node.prev()
  if (scope === null || kindOf(declaration) !== 'short_var_declaration') return null
  if (following(declaration!)?.id() !== node.id()) return null
  const [name, error, ...others] = named(declaration!.field('left'))
  const [call] = named(declaration!.field('right'))
  const callee = kindOf(call ?? null) === 'call_expression' ? textOf(call!.field('function')) : ''
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
  if (!stays(name.text(), body, isBody ? 'Body' : '')) return null
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
