import { endsOf, hasText, isString, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { args, callee } from './security.js'
import { inLoop, scopeOf } from './scope.js'

const performance = treeRulesOf('go', 'go', 'performance')

export const goPerformanceRules = [
  performance(
    'string-building-in-loop',
    'warning',
    { ...words.stringLoop, suggestion: 'Use a strings.Builder.' },
    'assignment_statement',
    (node) => {
      const name = endsOf(node.field('left'))
      const grows =
        /\+=/.test(textOf(node.field('operator'))) || endsOf(node.field('right')).startsWith(`${name} + `)
      return grows && inLoop(node) !== null && scopeOf(node)?.texts.has(name) === true
    }
  ),
  performance('query-in-loop', 'warning', words.queryLoop, 'call_expression', (node) => {
    if (
      !/\.(?:Query|QueryRow|QueryContext|QueryRowContext|ExecContext|Exec|First|Find)$/.test(callee(node)) ||
      !/^(?:\w+\.)?(?:db|tx|conn|pool|store|repo)\w*\./i.test(callee(node))
    ) {
      return false
    }
    return named(inLoop(node)).some(
      (part) => kindOf(part) === 'range_clause' || kindOf(part) === 'for_clause'
    )
  }),
  performance(
    'regex-in-loop',
    'warning',
    words.regexLoop,
    'call_expression',
    (node) =>
      /^regexp\.(?:MustCompile|Compile|MatchString)$/.test(callee(node)) &&
      inLoop(node) !== null &&
      isString(args(node)[0] ?? null)
  ),
  performance(
    'time-after-in-loop',
    'warning',
    {
      sentence:
        'time.After allocates a timer on every iteration; before Go 1.23 each one lives until it fires.',
      suggestion: 'Use one time.Ticker, or reset a time.Timer.'
    },
    'call_expression',
    (node) => callee(node) === 'time.After' && inLoop(node) !== null
  ),
  performance(
    'bytes-to-string',
    'info',
    {
      sentence: 'Two byte slices are converted to strings only to compare them.',
      suggestion: 'Compare them with bytes.Equal.'
    },
    'binary_expression',
    (node) =>
      /^(?:==|!=)$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].every((side) => hasText(side, /^string\(\w+\)$/))
  )
]
