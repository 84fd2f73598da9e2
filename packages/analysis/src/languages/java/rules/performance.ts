import { isCatastrophicRegex } from '../../../text/regex-danger.js'
import { args } from '../../../tree/calls.js'
import { ancestor, endsOf, isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { namesIn } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { method, receiver } from './security.js'
import { inLoop, methods, scopeOf } from './scope.js'

const security = treeRulesOf('java', 'java', 'security')

const performance = treeRulesOf('java', 'java', 'performance')

/** Whether a lambda around a node runs for every element of a stream or a collection. */
function inStream(node: TreeNode): boolean {
  const call = ancestor(node, ['lambda_expression'], methods.slice(0, 2))?.parent()?.parent() ?? null
  return (
    kindOf(call) === 'method_invocation' &&
    (method(call!) === 'forEach' ||
      (/^(?:map|flatMap|filter|mapTo\w+|peek)$/.test(method(call!)) && /\bstream\(\)/i.test(receiver(call!))))
  )
}

/** Source literals double their backslashes. */
function patternOf(node: TreeNode | null): string {
  return literalOf(node).replace(/\\\\/g, '\\')
}

const stringsOf = remember((loop: TreeNode) => namesIn(loop.text(), /String (\w+)\b/g))

export const javaPerformanceRules = [
  performance.warning('string-building-in-loop', {
    ...words.stringLoop,
    suggestion: 'Use a StringBuilder.',
    kinds: 'assignment_expression',
    when: (node) => {
      const name = endsOf(node.field('left'))
      const grows =
        textOf(node.field('operator')) === '+=' || endsOf(node.field('right')).startsWith(`${name} + `)
      const loop = grows ? inLoop(node) : null
      const scope = scopeOf(node)
      const isStringName = scope?.texts.has(name) === true || scope?.strings.has(name) === true
      return loop !== null && isStringName && !stringsOf(loop).has(name)
    }
  }),
  performance.warning('query-in-loop', {
    ...words.queryLoop,
    kinds: 'method_invocation',
    when: (node) =>
      ((/^(?:findById|findOne|getOne|findBy\w+|queryForObject|queryForList|executeQuery|getReferenceById)$/.test(
        method(node)
      ) &&
        /repo|dao|template|statement|stmt|mapper|entityManager|^em$/i.test(receiver(node))) ||
        (method(node) === 'find' && /^(?:em|entityManager|session)$/.test(receiver(node)))) &&
      (inStream(node) || (inLoop(node) !== null && kindOf(inLoop(node)) !== 'while_statement'))
  }),
  performance.info('regex-in-loop', {
    ...words.regexLoop,
    kinds: 'method_invocation',
    when: (node) =>
      ((receiver(node) === 'Pattern' && method(node) === 'compile' && isString(args(node)[0])) ||
        (/^(?:matches|replaceAll)$/.test(method(node)) && /[\\[*+?]/.test(literalOf(args(node)[0])))) &&
      inLoop(node) !== null
  }),
  security.warning('catastrophic-regex', {
    ...words.regex,
    calls: /^(?:compile|matches|replaceAll|replaceFirst|split)$/,
    when: (node) => isString(args(node)[0]) && isCatastrophicRegex(`${patternOf(args(node)[0] ?? null)}$`)
  }),
  performance.info('boxed-constructor', {
    sentence: 'This constructor always allocates a new object; the boxing constructors are deprecated.',
    suggestion: 'Use valueOf or the literal.',
    kinds: 'object_creation_expression',
    when: (node) =>
      /^(?:Integer|Long|Double|Float|Boolean|Short|Byte|Character)$/.test(textOf(node.field('type'))) ||
      (textOf(node.field('type')) === 'String' && isString(args(node)[0]))
  }),
  performance.info('key-set-lookup', {
    sentence: 'Iterating over keySet() and calling get() looks up every value a second time.',
    suggestion: 'Iterate over entrySet().',
    kinds: 'enhanced_for_statement',
    when: (node) => {
      const match = /^([\w.]+)\.keySet\(\)$/.exec(textOf(node.field('value')))
      return (
        match !== null &&
        textOf(node.field('body')).includes(`${match[1]}.get(${textOf(node.field('name'))})`)
      )
    }
  }),
  performance.info('size-check', {
    sentence: 'Comparing the size with 0 is less clear than isEmpty().',
    suggestion: 'Use isEmpty().',
    kinds: 'binary_expression',
    when: (node) => /\.(?:size|length)\(\)\s*(?:==|>|!=)\s*0$/.test(node.text())
  }),
  performance.info('list-contains-in-loop', {
    sentence: 'List.contains scans the whole list on every iteration of the loop.',
    suggestion: 'Copy the list into a HashSet before the loop.',
    kinds: 'method_invocation',
    when: (node) => {
      const name = receiver(node)
      return method(node) === 'contains' && inLoop(node) !== null && scopeOf(node)?.lists.has(name) === true
    }
  })
]
