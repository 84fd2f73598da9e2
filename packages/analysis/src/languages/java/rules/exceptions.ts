import { ancestor, below, hasText, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const bug = treeRulesOf('java', 'java', 'bugs')

export const javaExceptionRules = [
  bug.warning('swallowed-error', {
    ...words.swallowed,
    sentence: 'The exception is caught and ignored, so a failure looks like success.',
    kinds: 'catch_clause',
    when: (node) =>
      named(node.field('body')).length === 0 &&
      !/^ignored?$|^expected$/.test(textOf(below(node, 'catch_formal_parameter')[0]?.field('name')))
  }),
  bug.error('return-in-finally', {
    sentence: 'A return in a finally block discards the exception or the return value of the try block.',
    suggestion: 'Move the return out of the finally block.',
    kinds: 'finally_clause',
    when: (node) =>
      below(node, 'return_statement').find(
        (each) => ancestor(each, ['lambda_expression', 'class_body'], ['finally_clause']) === null
      ) ?? false
  }),
  bug.warning('catch-throwable', {
    sentence: 'Catching Throwable also catches errors such as OutOfMemoryError.',
    suggestion: 'Catch the specific exceptions you expect.',
    kinds: 'catch_clause',
    when: (node) => hasText(below(node, 'catch_type')[0], /^Throwable$/)
  }),
  bug.info('print-stack-trace', {
    sentence: 'The exception is only printed, and the code continues as if nothing failed.',
    suggestion: 'Log the exception with context, or rethrow it.',
    kinds: 'catch_clause',
    when: (node) => /^\{\s*\w+\.printStackTrace\(\);\s*\}$/.test(textOf(node.field('body')))
  })
]
