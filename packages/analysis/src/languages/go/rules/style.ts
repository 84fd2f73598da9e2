import { args, callee } from '../../../tree/calls.js'
import { hasText, isString, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { formatGo } from '../gofmt.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'
import { booleanCompare } from '../../../concepts/comparisons.js'
import { elseAfterReturn, tooManyParameters } from '../../../concepts/functions.js'

const style = treeRulesOf('go', 'go', 'style')

/** The first line of a text that another one has otherwise; false where they are the same. */
function firstDifference(text: string, other: string): number | false {
  const lines = text.split('\n')
  const others = other.split('\n')
  const at = lines.findIndex((line, index) => line !== others[index])
  return at === -1 ? others.length > lines.length && lines.length : at + 1
}

export const goStyleRules = [
  elseAfterReturn(style),
  booleanCompare(style),
  style.info('error-text', {
    sentence: 'Error strings should not be capitalized or end with punctuation or a newline.',
    suggestion: 'Start the error string in lower case, and remove the final punctuation.',
    kinds: 'call_expression',
    when: (node) => {
      const text = literalOf(args(node)[0])
      return (
        /^(?:errors\.New|fmt\.Errorf)$/.test(callee(node)) &&
        isString(args(node)[0]) &&
        (/^[A-Z][a-z]/.test(text) || /[.!\n]$/.test(text))
      )
    }
  }),
  style.info('underscore-name', {
    sentence: 'Go names use mixedCaps, not underscores.',
    suggestion: 'Rename it to mixedCaps.',
    kinds: ['function_declaration', 'method_declaration', 'type_spec'],
    when: (node) =>
      /^[a-zA-Z]+_\w/.test(textOf(node.field('name'))) &&
      !/^(?:Test|Benchmark|Example|Fuzz)/.test(textOf(node.field('name')))
  }),
  style.info('errors-sprintf', {
    sentence: 'errors.New(fmt.Sprintf(...)) can be replaced by fmt.Errorf(...).',
    suggestion: 'Use fmt.Errorf instead.',
    calls: /^errors\.New$/,
    when: (node) => hasText(args(node)[0], /^fmt\.Sprintf\(/)
  }),
  tooManyParameters(style, ['function_declaration', 'method_declaration'], 'a struct', (group) =>
    Math.max(1, named(group).filter((part) => kindOf(part) === 'identifier').length)
  ),
  style.info('formatting', {
    sentence: 'This file is not formatted with gofmt.',
    suggestion: 'Run gofmt -w on the file.',
    kinds: 'source_file',
    when: (_node, tree) => {
      const formatted = formatGo(tree.source.text)
      return formatted === null
        ? false
        : firstDifference(tree.source.text.replace(/\r/g, '').trimEnd(), formatted.trimEnd())
    }
  })
]
