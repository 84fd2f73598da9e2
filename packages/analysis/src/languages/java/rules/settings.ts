import { fixedConditions } from '../../../concepts/comparisons.js'
import { args } from '../../../tree/calls.js'
import { ancestor, endsOf, hasText, isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { method, receiver } from './security.js'

const security = treeRulesOf('java', 'java', 'security')
const bug = treeRulesOf('java', 'java', 'bugs')

export const javaSettingRules = [
  security.error('unverified-token', {
    ...words.unverifiedToken,
    kinds: 'method_invocation',
    when: (node) =>
      (method(node) === 'none' && receiver(node).endsWith('Algorithm')) ||
      (method(node) === 'decode' && receiver(node) === 'JWT') ||
      (method(node) === 'parse' && /Jwts\.parser\(\)\.build\(\)$/.test(receiver(node))),
    only: /JWT|Jwts|Algorithm/
  }),
  security.error('token-secret', {
    ...words.secretKey,
    kinds: ['method_invocation', 'object_creation_expression'],
    when: (node) => {
      if (kindOf(node) === 'object_creation_expression') {
        return (
          textOf(node.field('type')) === 'SecretKeySpec' &&
          /^"[^"]{3,}"\.getBytes\(/.test(endsOf(args(node)[0]))
        )
      }
      const at = /^HMAC(?:256|384|512)$/.test(method(node))
        ? 0
        : /^(?:signWith|setSigningKey)$/.test(method(node))
          ? args(node).length - 1
          : -1
      const given = args(node)[at] ?? null
      return (
        (isString(given) && literalOf(given).length >= 3) || /^"[^"]{3,}"\.getBytes\(/.test(endsOf(given))
      )
    }
  }),
  security.error('weak-key', {
    sentence: 'RSA, DSA and DH keys shorter than 2048 bits can be broken.',
    suggestion: 'Generate a key of at least 2048 bits.',
    calls: /^initialize$/,
    when: (node) => {
      if (!(Number(textOf(args(node)[0])) < 2048)) return false
      return hasText(
        ancestor(node, ['method_declaration', 'constructor_declaration']),
        /KeyPairGenerator\.getInstance\("(?:RSA|DSA|DH)"/
      )
    },
    only: /KeyPairGenerator/
  }),
  ...fixedConditions(bug, 'binary_expression', '||', '&&'),
  bug.error('assignment-in-condition', {
    sentence: 'This condition assigns a boolean instead of comparing it.',
    suggestion: 'Use the variable itself, or its negation.',
    kinds: ['if_statement', 'while_statement'],
    when: (node) => /^\(\s*\w+ = (?:true|false)\s*\)$/.test(endsOf(node.field('condition')))
  })
]
