import { fixedConditions } from '../../../concepts/comparisons.js'
import { ancestor, endsOf, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { namesIn } from '../../../tree/scope.js'
import type { Tree } from '../../../tree/tree.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { selfComparison, uselessExpression } from './shared.js'

const bug = treeRulesOf('py', 'python', 'bugs')

const coroutines = remember((tree: Tree) => namesIn(tree.source.text, /^[ \t]*async def (\w+)/gm))
const threadLocks = remember((tree: Tree) =>
  namesIn(tree.source.text, /\b(\w+)\s*=\s*(?:threading\.)?R?Lock\(\)/g)
)

export const pythonPitfallRules = [
  // Ruff compares names only.
  bug.error('comparison-with-itself', {
    ...selfComparison,
    kinds: 'comparison_operator',
    when: (node) => {
      const [left = null, right = null, ...others] = named(node)
      return (
        others.length === 0 &&
        kindOf(left) === 'attribute' &&
        /^[\w.]+$/.test(endsOf(left)) &&
        endsOf(left) === endsOf(right) &&
        (/[!=]=/.test(endsOf(node)) ? 'likely' : true)
      )
    }
  }),
  // Ruff leaves out operators, because a class can give them an effect. Arithmetic is not used that way.
  bug.warning('useless-expression', {
    ...uselessExpression,
    kinds: 'expression_statement',
    when: (node) => {
      const [only = null, ...others] = named(node)
      return (
        others.length === 0 &&
        kindOf(only) === 'binary_operator' &&
        /^(?:[-+%]|\*\*?|\/\/?)$/.test(textOf(only!.field('operator'))) &&
        ancestor(node, ['function_definition']) !== null &&
        // In a try block, it can test whether the operands fit.
        ancestor(node, ['try_statement'], ['function_definition']) === null
      )
    }
  }),
  ...fixedConditions(bug, 'boolean_operator', 'or', 'and'),
  bug.error('async-condition', {
    sentence: 'The coroutine is not awaited, and a coroutine object is always true.',
    suggestion: 'Put `await` before the call.',
    kinds: ['if_statement', 'elif_clause', 'while_statement'],
    when: (node, tree) => {
      const condition = node.field('condition')
      const call = kindOf(condition) === 'not_operator' ? condition!.field('argument') : condition
      return kindOf(call) === 'call' && coroutines(tree).has(textOf(call!.field('function'))) ? call : false
    },
    only: /\basync\b/
  }),
  bug.warning('unused-result', {
    sentence: 'Strings are immutable: the method returns a new string, which is not used.',
    suggestion: 'Assign the result, or remove the call.',
    kinds: 'expression_statement',
    when: (node) => {
      const call = named(node)[0] ?? null
      const method = kindOf(call) === 'call' ? call!.field('function') : null
      return (
        kindOf(method) === 'attribute' &&
        kindOf(method!.field('object')) === 'identifier' &&
        /^(?:strip|lstrip|rstrip|lower|upper|title|capitalize|casefold|zfill|removeprefix|removesuffix)$/.test(
          textOf(method!.field('attribute'))
        )
      )
    }
  }),
  bug.error('lock-across-await', {
    sentence: 'A threading lock is held across an await, which can block the event loop or deadlock.',
    suggestion: 'Use asyncio.Lock with `async with`, or release the lock before the await.',
    kinds: 'await',
    when: (node, tree) => {
      const around = ancestor(node, ['with_statement'], ['function_definition', 'lambda'])
      const name =
        around === null ? undefined : /^with (?:self\.)?(\w+):/.exec(around.text().slice(0, 100))?.[1]
      return name !== undefined && threadLocks(tree).has(name)
    },
    only: /Lock\(\)/
  })
]
