import { args, callee } from '../../../tree/calls.js'
import { ancestor, endsOf, following, hasText, isString, kindOf, named } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { declaredNames, functions, scopeOf } from './scope.js'
import { statementsOf } from '../../../concepts/functions.js'

const bug = treeRulesOf('go', 'go', 'bugs')

/** `n, _ := f()`; `_ = f()` and `_, _ = f()` say that nothing of the result matters. */
function dropsLast(declaration: TreeNode): boolean {
  const names = declaredNames(declaration)
  return (
    names.at(-1) === '_' &&
    (kindOf(declaration) === 'short_var_declaration' || names.some((name) => name !== '_'))
  )
}

function previous(node: TreeNode): TreeNode | null {
  let before = node.prev()
  while (before !== null && (!before.isNamed() || /comment/.test(kindOf(before)))) before = before.prev()
  return before
}

/**
 * What the statements after one do with a response: they write to it in any case, leave, or come to the end
 * of their block.
 */
function goesOn(statement: TreeNode, writer: string): 'writes' | 'leaves' | 'ends' {
  const writes = new RegExp(
    `^${writer}\\.(?:Write|WriteHeader|Header\\(\\)\\.Set)\\(|^(?:fmt\\.Fprint\\w*|io\\.WriteString|http\\.(?:Error|Redirect))\\(${writer},|^json\\.NewEncoder\\(${writer}\\)`
  )
  for (let next = following(statement); next !== null; next = following(next)) {
    if (kindOf(next) === 'expression_statement' && writes.test(next.text())) return 'writes'
    // A branch may leave as well; whether it does is not for us to say.
    if (kindOf(next) !== 'expression_statement' || /^(?:panic|os\.Exit|log\.Fatal\w*)\(/.test(next.text())) {
      return 'leaves'
    }
  }
  return 'ends'
}

/** Calls that are made for what they do, and whose only answer is whether they could. */
function doesAndFails(call: TreeNode): boolean {
  const called = callee(call)
  if (/^os\.Remove(?:All)?$/.test(called)) {
    // Where something failed already, or at the end of it all, there is nobody left to tell.
    const isCleanup =
      ancestor(call, ['func_literal'], ['function_declaration', 'method_declaration']) !== null ||
      hasText(ancestor(call, ['if_statement'], functions)?.field('condition'), /\berr/i)
    return !isCleanup
  }
  if (/^cmd\.(?:Run|Start)$/.test(called)) return args(call).length === 0
  return (
    /^os\.(?:Mkdir|Chmod|Chown|Chdir|Symlink|Truncate)$/.test(called) ||
    /^(?:\w+\.)?(?:db|tx|conn|stmt|pool)\.Exec(?:Context)?$/i.test(called) ||
    /^exec\.Command(?:Context)?\([\s\S]*\)\.(?:Run|Start)$/.test(called)
  )
}

export const goErrorRules = [
  bug.warning('swallowed-error', {
    ...words.swallowed,
    sentence: 'This if statement ignores the error, so a failure looks like success.',
    kinds: 'if_statement',
    when: (node) =>
      hasText(node.field('condition'), /\berr\w*\s*!=\s*nil$/) &&
      statementsOf(node.field('consequence')).length === 0
  }),
  bug.warning('ignored-error', {
    sentence: 'The error returned by this call is not checked.',
    suggestion: 'Check the error, or return it.',
    kinds: ['expression_statement', 'short_var_declaration', 'assignment_statement'],
    when: (node) => {
      const call = kindOf(node) === 'expression_statement' ? named(node)[0] : named(node.field('right'))[0]
      if (call === undefined || kindOf(call) !== 'call_expression') return false
      const isStatement = kindOf(node) === 'expression_statement'
      const fails =
        (isStatement && doesAndFails(call)) ||
        /^(?:json\.(?:Unmarshal|Marshal)|strconv\.(?:Atoi|Parse\w+)|os\.(?:Open|ReadFile|WriteFile|MkdirAll|Rename)|http\.(?:Get|Post|NewRequest)|time\.Parse|url\.Parse|io\.ReadAll|xml\.Unmarshal)$|\.(?:Scan|Commit|Decode)$/.test(
          callee(call)
        )
      // A request for a fixed address cannot fail.
      if (callee(call) === 'http.NewRequest' && isString(args(call)[1])) return false
      // `if on, _ := parse(x); on` asks for the value only.
      return fails && (isStatement || (dropsLast(node) && kindOf(node.parent()) !== 'if_statement'))
    }
  }),
  bug.error('http-error-without-return', {
    sentence: 'The handler continues after http.Error and writes a second response.',
    suggestion: 'Add a return after http.Error.',
    kinds: 'expression_statement',
    when: (node) => {
      const writer = /^http\.Error\((\w+),/.exec(node.text())?.[1]
      if (writer === undefined) return false
      const block = ancestor(node, ['block'], functions)
      const owner = block?.parent() ?? null
      // What an if without an else leaves goes on behind it.
      const isBranch =
        kindOf(owner) === 'if_statement' &&
        owner!.field('alternative') === null &&
        owner!.parent() !== null &&
        kindOf(owner!.parent()) !== 'if_statement'
      const after = goesOn(node, writer)
      return after === 'writes' || (after === 'ends' && isBranch && goesOn(owner!, writer) === 'writes')
    },
    only: /http\.Error\(/
  }),
  bug.error('defer-before-check', {
    sentence:
      'Close is deferred before the error check; on failure the value is nil and the deferred call can panic.',
    suggestion: 'Check the error first, then defer Close.',
    kinds: 'defer_statement',
    when: (node) => {
      const [, name, body] = /^defer (\w+)\.(Body\.)?Close\(\)$/.exec(node.text()) ?? []
      // Nothing stands between the call and the defer, so nothing asked for the error.
      const isUnchecked = name !== undefined && new RegExp(`^${name}, err :?= `).test(endsOf(previous(node)))
      // Close of a nil *os.File only returns an error.
      return isUnchecked && (body === undefined ? 'likely' : true)
    }
  }),
  bug.info('error-compare', {
    sentence: 'Comparing errors with == or != fails on wrapped errors.',
    suggestion: 'Use errors.Is instead.',
    kinds: 'binary_expression',
    when: (node) => /^err\s*[!=]=\s*(?:\w+\.)?(?:Err[A-Z]\w*|EOF)$/.test(node.text())
  }),
  bug.info('shadowed-error', {
    sentence: 'This err shadows the named result, so the bare return does not return it.',
    suggestion: 'Use = instead of :=.',
    kinds: 'short_var_declaration',
    when: (node) => {
      if (!declaredNames(node).includes('err')) return false
      const scope = scopeOf(node)
      // Named results are what a bare return gives back; a new err in an inner block never reaches them.
      return (
        scope?.hasBareReturn === true &&
        hasText(scope.node.field('result'), /\berr error\b/) &&
        kindOf(node.parent()) === 'statement_list' &&
        kindOf(node.parent()?.parent()?.parent()) !== kindOf(scope.node)
      )
    }
  })
]
