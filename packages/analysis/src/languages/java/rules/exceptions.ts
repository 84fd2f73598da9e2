import { ancestor, below, hasText, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const bug = treeRulesOf('java', 'java', 'bugs')

export const javaExceptionRules = [
  bug(
    'swallowed-error',
    'warning',
    {
      ...words.swallowed,
      sentence: 'The exception is caught and ignored, so a failure looks like success.'
    },
    'catch_clause',
    (node) =>
      named(node.field('body')).length === 0 &&
      !/^ignored?$|^expected$/.test(textOf(below(node, 'catch_formal_parameter')[0]?.field('name') ?? null))
  ),
  bug(
    'return-in-finally',
    'error',
    {
      sentence: 'A return in a finally block discards the exception or the return value of the try block.',
      suggestion: 'Move the return out of the finally block.'
    },
    'finally_clause',
    (node) =>
      below(node, 'return_statement').find(
        (each) => ancestor(each, ['lambda_expression', 'class_body'], ['finally_clause']) === null
      ) ?? false
  ),
  bug(
    'catch-throwable',
    'warning',
    {
      sentence: 'Catching Throwable also catches errors such as OutOfMemoryError.',
      suggestion: 'Catch the specific exceptions you expect.'
    },
    'catch_clause',
    (node) => hasText(below(node, 'catch_type')[0] ?? null, /^Throwable$/)
  ),
  bug(
    'print-stack-trace',
    'info',
    {
      sentence: 'The exception is only printed, and the code continues as if nothing failed.',
      suggestion: 'Log the exception with context, or rethrow it.'
    },
    'catch_clause',
    (node) => /^\{\s*\w+\.printStackTrace\(\);\s*\}$/.test(textOf(node.field('body')))
  )
]
