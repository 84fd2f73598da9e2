import { args, callee } from '../../../tree/calls.js'
import { ancestor, endsOf, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { isCacheKey } from '../../../text/cache-names.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const rule = treeRulesOf('go', 'go', 'security')

/** What the value of a call is kept under, or the function that answers with it. */
function nameOfResult(call: TreeNode): string {
  const owner = ancestor(
    call,
    ['short_var_declaration', 'assignment_statement'],
    ['function_declaration', 'method_declaration', 'func_literal', 'block']
  )
  if (owner !== null && isCacheKey(endsOf(owner.field('left')), '')) return endsOf(owner.field('left'))
  return textOf(ancestor(call, ['function_declaration', 'method_declaration'])?.field('name'))
}

/** Whether a setting decides whether the code runs; nobody chooses an error. */
function isChosen(node: TreeNode): boolean {
  const choice = ancestor(
    node,
    ['if_statement', 'expression_case'],
    ['function_declaration', 'method_declaration']
  )
  const condition = textOf(choice?.field('condition') ?? choice?.field('value'))
  return condition !== '' && !/\berr\b/.test(condition)
}

/** The function, or the object at the top of a file, in which a setting is made. */
function settingsAround(node: TreeNode): string {
  const scope = ancestor(node, ['function_declaration', 'method_declaration'])
  return textOf(scope ?? ancestor(node, ['composite_literal']))
}

/** The documented way to verify in another manner: the standard check is off, and a function takes its place. */
const isVerifiedByCode = (node: TreeNode): boolean =>
  /\bVerify(?:PeerCertificate|Connection)\s*[:=](?!\s*nil\b)/.test(settingsAround(node))

/** Both sides show certificates, and the program may tell its peers apart by their keys. */
const asksForCertificate = (node: TreeNode): boolean =>
  /\bClientAuth\s*[:=]\s*tls\.Re/.test(settingsAround(node))

/** A type of the program's own may verify elsewhere. */
function isOtherConfig(node: TreeNode): boolean {
  if (kindOf(node) !== 'keyed_element') return false
  const type = textOf(ancestor(node, ['composite_literal'])?.field('type'))
  return type !== '' && type !== 'tls.Config'
}

export const goSecurityRules = [
  rule.warning('weak-hash', {
    ...words.weakHash,
    calls: /^(?:md5|sha1)\.(?:New|Sum)$/,
    when: (node) => !isCacheKey(nameOfResult(node), endsOf(node))
  }),
  rule.error('tls-check-disabled', {
    ...words.tls,
    kinds: ['keyed_element', 'assignment_statement'],
    when: (node) =>
      /^InsecureSkipVerify:\s*true$|\.InsecureSkipVerify\s*=\s*true$/.test(endsOf(node)) &&
      !isVerifiedByCode(node) &&
      (isChosen(node) || isOtherConfig(node) || asksForCertificate(node) ? 'likely' : true)
  }),
  rule.warning('tls-old-version', {
    sentence: 'TLS versions before 1.2 have known attacks.',
    suggestion: 'Set MinVersion to tls.VersionTLS12 or newer.',
    kinds: 'keyed_element',
    when: (node) => /^MinVersion:\s*tls\.Version(?:SSL30|TLS10|TLS11)$/.test(node.text())
  }),
  rule.warning('permissive-cors', {
    ...words.cors,
    kinds: ['call_expression', 'keyed_element'],
    when: (node) =>
      kindOf(node) === 'keyed_element'
        ? /^(?:AllowedOrigins|AllowOrigins):\s*\[\]string\{\s*"\*"\s*\}$|^AllowAllOrigins:\s*true$/.test(
            node.text()
          )
        : /\.(?:Set|Add|Header)$/.test(callee(node)) &&
          /^"access-control-allow-origin"$/i.test(textOf(args(node)[0])) &&
          literalOf(args(node)[1]) === '*'
  }),
  rule.warning('text-template', {
    sentence: 'text/template does not escape HTML, and this file serves web pages.',
    suggestion: 'Import html/template instead.',
    kinds: 'import_spec',
    when: (node) => literalOf(node.field('path')) === 'text/template',
    only: /"net\/http"/
  }),
  rule.warning('insecure-random', {
    ...words.random,
    suggestion: 'Use crypto/rand.',
    calls: /^rand\.(?:Int\w*|Read|Float\w*|Uint\w*|Perm)$/,
    when: (node) => {
      const name = textOf(ancestor(node, ['function_declaration', 'method_declaration'])?.field('name'))
      return /token|secret|password|key|session|nonce|otp|salt/i.test(name)
    },
    only: /"math\/rand(?:\/v2)?"/
  })
]
