import { looksGenerated } from '../../../text/secret-names.js'
import { kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { isSecretValue } from '../../../rules/every/secrets.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { flaskDebug } from './shared.js'

const security = treeRulesOf('py', 'python', 'security')

const callee = (call: TreeNode): string => textOf(call.field('function'))
const args = (call: TreeNode): TreeNode[] => named(call.field('arguments'))

function keyword(call: TreeNode, key: string): TreeNode | null {
  return (
    args(call)
      .find((each) => kindOf(each) === 'keyword_argument' && textOf(each.field('name')) === key)
      ?.field('value') ?? null
  )
}

/** A text that is written down and long enough to be meant as a key. */
function isWritten(node: TreeNode | null | undefined): boolean {
  return (
    kindOf(node) === 'string' &&
    !/\{/.test(textOf(node!)) &&
    !/^(?:test|dummy|fake|mock)/i.test(literalOf(node!)) &&
    literalOf(node!).length >= 3
  )
}

function verdictOn(secret: TreeNode | null | undefined): boolean | 'likely' {
  return secret != null && (looksGenerated(textOf(secret)) || 'likely')
}

const key = { ...words.secretKey }

export const pythonSecretRules = [
  security.error('token-secret', {
    ...key,
    kinds: 'call',
    when: (node) => {
      const [first = null, second = null] = args(node)
      const secret = /(?:^|\.)jwt\.(?:encode|decode)$/.test(callee(node))
        ? [second, keyword(node, 'key')].find(isWritten)
        : /(?:^|\.)hmac\.(?:new|digest)$/.test(callee(node)) && /^b["']/.test(textOf(first))
          ? first
          : undefined
      return verdictOn(secret)
    },
    only: /jwt\.|hmac\./
  }),
  security.error('setting-secret', {
    ...key,
    kinds: 'assignment',
    when: (node) => {
      const left = textOf(node.field('left'))
      return (
        /(?:^|\.)(?:secret_key|SECRET_KEY|JWT_SECRET(?:_KEY)?)$|\.config\[["'](?:SECRET_KEY|JWT_SECRET_KEY|WTF_CSRF_SECRET_KEY)["']\]$/.test(
          left
        ) &&
        isWritten(node.field('right')) &&
        // all/hard-coded-secret reports the values that look like keys.
        !isSecretValue(left.replace(/["'\]]+$/, ''), literalOf(node.field('right'))) &&
        verdictOn(node.field('right'))
      )
    },
    only: /secret/i
  }),
  security.error('unverified-token', {
    sentence: 'jwt.decode() accepts a token without verifying its signature.',
    suggestion: 'Keep verify_signature on and pass only the algorithms that you sign with.',
    calls: /(?:^|\.)jwt\.(?:decode|encode)$/,
    when: (node) =>
      /verify_signature["']\s*:\s*False/.test(textOf(keyword(node, 'options'))) ||
      textOf(keyword(node, 'verify')) === 'False' ||
      /["']none["']/i.test(textOf(keyword(node, 'algorithms')) + textOf(keyword(node, 'algorithm'))),
    only: /jwt\./
  }),
  security.error('flask-debug-true', {
    ...flaskDebug,
    calls: /^(?:\w+_)?app\.run$/,
    when: (node, tree) =>
      textOf(keyword(node, 'debug')) === 'True' &&
      !/\bFlask\(|^(?:from|import) quart\b/m.test(tree.source.text),
    only: /\bdebug\s*=\s*True/
  })
]
