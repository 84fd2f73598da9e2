import { comparesLengthSign, lengthSign } from '../../../text/length-sign.js'
import { hasOpenHostDot, hasWideRange, regexWords } from '../../../text/regex-slips.js'
import { loggedSecret, namesSecret } from '../../../text/secret-names.js'
import { args } from '../../../tree/calls.js'
import { endsOf, isString, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { method, receiver } from './security.js'

const bug = treeRulesOf('java', 'java', 'bugs')
const security = treeRulesOf('java', 'java', 'security')

/** The fixed pattern that a call gets, else an empty text. */
const patternOf = remember((call: TreeNode): string => {
  const first = args(call)[0] ?? null
  return isString(first) &&
    (/^(?:matches|replaceAll|replaceFirst)$/.test(method(call)) ||
      (method(call) === 'compile' && receiver(call) === 'Pattern'))
    ? literalOf(first).replace(/\\\\/g, '\\')
    : ''
})

const isJoined = (node: TreeNode): boolean =>
  kindOf(node) === 'binary_expression' && textOf(node.field('operator')) === '+'

export const javaSlipRules = [
  bug.warning('length-sign', {
    ...lengthSign,
    kinds: 'binary_expression',
    when: (node) => comparesLengthSign(endsOf(node))
  }),
  bug.warning('wide-range', {
    ...regexWords.wideRange,
    kinds: 'method_invocation',
    when: (node) => hasWideRange(patternOf(node))
  }),
  security.warning('host-pattern', {
    ...regexWords.hostDot,
    kinds: 'method_invocation',
    when: (node) => hasOpenHostDot(patternOf(node))
  }),
  security.warning('secret-logged', {
    ...loggedSecret,
    kinds: 'method_invocation',
    when: (node) =>
      /^(?:trace|debug|info|warn|error|fine|warning|severe)$/.test(method(node)) &&
      /^(?:\w+\.)?(?:log|logger|LOG|LOGGER)$/.test(receiver(node))
        ? (args(node)
            .flatMap((each) => (isJoined(each) ? named(each) : [each]))
            .find((each) => kindOf(each) === 'identifier' && namesSecret(textOf(each))) ?? false)
        : false,
    only: /log/i
  }),
  security.warning('exposed-stack', {
    ...words.exposedStack,
    calls: /^printStackTrace$/,
    when: (node) => /^(?:res|resp|response)\.get(?:Writer|OutputStream)\(\)$/.test(textOf(args(node)[0])),
    only: /printStackTrace/
  }),
  bug.error('unthrown-exception', {
    ...words.unthrown,
    kinds: 'expression_statement',
    when: (node) => {
      const [made] = named(node)
      return (
        made !== undefined &&
        kindOf(made) === 'object_creation_expression' &&
        /(?:Exception|Error)$/.test(textOf(made.field('type'))) &&
        !named(made).some((part) => kindOf(part) === 'class_body')
      )
    }
  }),
  bug.error('loop-direction', {
    ...words.loopDirection,
    kinds: 'for_statement',
    when: (node) => {
      const index = /^(\w+)(\+\+|--)$/.exec(endsOf(node.field('update')))
      const test = /^(\w+)\s*(<|>)=?\s/.exec(endsOf(node.field('condition')))
      return (
        index !== null && test !== null && index[1] === test[1] && (index[2] === '++') === (test[2] === '>')
      )
    }
  }),
  bug.warning('abs-of-random', {
    sentence: 'Math.abs(Integer.MIN_VALUE) is negative, so this result can be negative.',
    suggestion: 'Use nextInt(bound) or Math.floorMod.',
    calls: /^abs$/,
    when: (node) =>
      receiver(node) === 'Math' && /\.(?:nextInt\(\)|nextLong\(\)|hashCode\(\))$/.test(endsOf(args(node)[0])),
    only: /Math\.abs/
  }),
  bug.warning('misspelled-override', {
    sentence: 'This method does not override equals, hashCode or toString, because its name is misspelled.',
    suggestion: 'Correct the name and add @Override.',
    kinds: 'method_declaration',
    when: (node) =>
      /^(?:boolean equal\(Object \w+\)|int hashcode\(\)|String tostring\(\))$/.test(
        `${textOf(node.field('type'))} ${textOf(node.field('name'))}${endsOf(node.field('parameters'))}`
      ),
    only: /\b(?:equal|hashcode|tostring)\(/
  })
]
