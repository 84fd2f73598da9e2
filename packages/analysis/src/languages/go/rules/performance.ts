import { args, callee } from '../../../tree/calls.js'
import { endsOf, hasText, isString, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { inLoop, scopeOf } from './scope.js'

const performance = treeRulesOf('go', 'go', 'performance')

export const goPerformanceRules = [
  performance.warning('string-building-in-loop', {
    ...words.stringLoop,
    suggestion: 'Use a strings.Builder.',
    kinds: 'assignment_statement',
    when: (node) => {
      const name = endsOf(node.field('left'))
      const grows =
        /\+=/.test(textOf(node.field('operator'))) || endsOf(node.field('right')).startsWith(`${name} + `)
      return grows && inLoop(node) !== null && scopeOf(node)?.texts.has(name) === true
    }
  }),
  performance.warning('query-in-loop', {
    ...words.queryLoop,
    calls: /\.(?:Query|QueryRow|QueryContext|QueryRowContext|ExecContext|Exec|First|Find)$/,
    when: (node) => {
      if (!/^(?:\w+\.)?(?:db|tx|conn|pool|store|repo)\w*\./i.test(callee(node))) return false
      return named(inLoop(node)).some(
        (part) => kindOf(part) === 'range_clause' || kindOf(part) === 'for_clause'
      )
    }
  }),
  performance.warning('regex-in-loop', {
    ...words.regexLoop,
    calls: /^regexp\.(?:MustCompile|Compile|MatchString)$/,
    when: (node) => inLoop(node) !== null && isString(args(node)[0])
  }),
  performance.warning('time-after-in-loop', {
    sentence:
      'time.After allocates a timer on every iteration; before Go 1.23 each one lives until it fires.',
    suggestion: 'Use one time.Ticker, or reset a time.Timer.',
    calls: /^time\.After$/,
    when: (node) => inLoop(node) !== null
  }),
  performance.info('bytes-to-string', {
    sentence: 'Two byte slices are converted to strings only to compare them.',
    suggestion: 'Compare them with bytes.Equal.',
    kinds: 'binary_expression',
    when: (node) =>
      /^(?:==|!=)$/.test(textOf(node.field('operator'))) &&
      [node.field('left'), node.field('right')].every((side) => hasText(side, /^string\(\w+\)$/))
  })
]
