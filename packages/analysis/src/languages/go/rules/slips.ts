import { isDecimalMode } from '../../../concepts/file-modes.js'
import { comparesLengthSign, lengthSign } from '../../../text/length-sign.js'
import { hasOpenHostDot, hasWideRange, regexWords } from '../../../text/regex-slips.js'
import { loggedSecret, namesSecret } from '../../../text/secret-names.js'
import { args, callee } from '../../../tree/calls.js'
import { endsOf, isString, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const bug = treeRulesOf('go', 'go', 'bugs')
const security = treeRulesOf('go', 'go', 'security')

/** The fixed pattern that a call of `regexp` gets, else an empty text. */
const patternOf = remember((call: TreeNode): string => {
  const first = args(call)[0] ?? null
  return /^regexp\.(?:Must)?Compile(?:POSIX)?$|^regexp\.Match\w*$/.test(callee(call)) && isString(first)
    ? literalOf(first).replace(/\\\\/g, '\\')
    : ''
})

/** Functions of the standard library that change nothing. */
const pure =
  /^(?:strings\.(?:Trim\w*|Replace\w*|To[A-Z]\w*|Split\w*|Fields\w*|Join|Repeat|Title|Contains\w*|Has\w+|Index\w*)|fmt\.(?:Sprint\w*|Errorf)|errors\.(?:New|Is|Join)|(?:file)?path\.(?:Join|Clean|Base|Dir|Ext)|strconv\.(?:Itoa|Quote|Format\w+))$/

const hasPattern = { only: /\bregexp\./ }

export const goSlipRules = [
  bug.warning('length-sign', {
    ...lengthSign,
    kinds: 'binary_expression',
    when: (node) => comparesLengthSign(endsOf(node))
  }),
  bug.warning('wide-range', {
    ...regexWords.wideRange,
    kinds: 'call_expression',
    when: (node) => hasWideRange(patternOf(node)),
    ...hasPattern
  }),
  security.warning('host-pattern', {
    ...regexWords.hostDot,
    kinds: 'call_expression',
    when: (node) => hasOpenHostDot(patternOf(node)),
    ...hasPattern
  }),
  security.warning('secret-logged', {
    ...loggedSecret,
    calls: /^(?:log|logger|slog|logrus|glog)\.(?:Print|Fatal|Panic|Info|Warn|Warning|Error|Debug)(?:f|ln)?$/,
    when: (node) =>
      args(node).find(
        (each) =>
          /^(?:identifier|selector_expression)$/.test(kindOf(each)) &&
          namesSecret(endsOf(each).replace(/^.*\./s, ''))
      ) ?? false,
    only: /log/
  }),
  bug.error('decimal-mode', {
    ...words.decimalMode,
    calls: /^os\.(?:WriteFile|OpenFile|Mkdir|MkdirAll|Chmod)$/,
    when: (node) => isDecimalMode(textOf(args(node).at(-1))),
    only: /\bos\./
  }),
  bug.error('unused-result', {
    sentence: 'This call only returns a new value, so it has no effect unless its result is used.',
    suggestion: 'Assign the result to a variable, or remove the call.',
    kinds: 'expression_statement',
    when: (node) => {
      const call = named(node)[0]
      return call !== undefined && kindOf(call) === 'call_expression' && pure.test(callee(call))
    }
  }),
  bug.error('loop-direction', {
    ...words.loopDirection,
    kinds: 'for_clause',
    when: (node) => {
      const index = /^(\w+)(\+\+|--)$/.exec(endsOf(node.field('update')))
      const test = /^(\w+)\s*(<|>)=?\s/.exec(endsOf(node.field('condition')))
      if (index === null || test === null || index[1] !== test[1]) return false
      // An unsigned index that is counted down ends the loop by becoming very large.
      return (index[2] === '++') === (test[2] === '>') && !/\buint/.test(endsOf(node))
    }
  }),
  bug.error('deferred-recover', {
    sentence:
      'Deferring recover directly does not stop a panic; it must be called inside a deferred function.',
    suggestion: 'Write defer func() { if r := recover(); r != nil { ... } }().',
    kinds: 'defer_statement',
    when: (node) => /^defer\s+recover\(\)$/.test(endsOf(node)),
    only: /recover\(\)/
  })
]
