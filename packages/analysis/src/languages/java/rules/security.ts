import { args } from '../../../tree/calls.js'
import { ancestor, endsOf, hasText, isString, kindOf, literalOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const rule = treeRulesOf('java', 'java', 'security')

const methods = ['method_declaration', 'constructor_declaration', 'lambda_expression']
export const method = remember((call: TreeNode): string => textOf(call.field('name')))
export const receiver = remember((call: TreeNode): string => endsOf(call.field('object')))
const scopeOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return { setsUpParser: /setFeature|setProperty|setAttribute/.test(text) }
})

function factsAround(node: TreeNode): ReturnType<typeof scopeOf> | null {
  const scope = ancestor(node, methods)
  return scope === null ? null : scopeOf(scope)
}

export const javaSecurityRules = [
  rule.warning('unsafe-deserialization', {
    ...words.deserialize,
    kinds: ['method_invocation', 'object_creation_expression'],
    when: (node) =>
      kindOf(node) === 'method_invocation'
        ? (method(node) === 'readObject' && args(node).length === 0) ||
          method(node) === 'enableDefaultTyping' ||
          (method(node) === 'load' && /^new Yaml\(\)$/.test(receiver(node)))
        : textOf(node.field('type')) === 'XMLDecoder'
  }),
  rule.warning('script-eval', {
    sentence: 'ScriptEngine.eval runs this string as code with all rights of the program.',
    suggestion: 'Use a map of allowed operations instead of evaluating strings.',
    calls: /^eval$/,
    when: (node) => /engine|script/i.test(receiver(node)) && !isString(args(node)[0])
  }),
  rule.error('tls-check-disabled', {
    ...words.tls,
    kinds: ['method_declaration', 'lambda_expression', 'field_access'],
    when: (node) => {
      if (kindOf(node) === 'method_declaration') {
        return (
          (/^check(?:Server|Client)Trusted$/.test(textOf(node.field('name'))) &&
            named(node.field('body')).length === 0) ||
          (textOf(node.field('name')) === 'verify' &&
            /^\{\s*return true;\s*\}$/.test(textOf(node.field('body'))))
        )
      }
      if (kindOf(node) === 'lambda_expression') {
        return (
          /HostnameVerifier/.test(textOf(node.parent()?.parent())) && textOf(node.field('body')) === 'true'
        )
      }
      return /^(?:NoopHostnameVerifier\.INSTANCE|SSLConnectionSocketFactory\.ALLOW_ALL_HOSTNAME_VERIFIER)$/.test(
        node.text()
      )
    }
  }),
  rule.warning('permissive-cors', {
    ...words.cors,
    kinds: ['method_invocation', 'annotation', 'marker_annotation'],
    when: (node) => {
      if (kindOf(node) !== 'method_invocation') {
        return /^@CrossOrigin(?:\(\s*(?:(?:origins|value)\s*=\s*)?"\*".*\))?$/.test(node.text())
      }
      if (
        /^(?:allowedOrigins|addAllowedOrigin|allowedOriginPatterns|setAllowedOrigins)$/.test(method(node))
      ) {
        return hasText(node.field('arguments'), /"\*"/)
      }
      return (
        /^(?:set|add)?[Hh]eader$/.test(method(node)) &&
        /^access-control-allow-origin$/i.test(literalOf(args(node)[0])) &&
        literalOf(args(node)[1]) === '*'
      )
    }
  }),
  rule.warning('insecure-random', {
    ...words.random,
    suggestion: 'Use java.security.SecureRandom.',
    kinds: ['object_creation_expression', 'method_invocation'],
    when: (node) => {
      const weak =
        kindOf(node) === 'object_creation_expression'
          ? textOf(node.field('type')) === 'Random'
          : receiver(node) === 'Math' && method(node) === 'random'
      return (
        weak &&
        /token|secret|password|session|nonce|otp|salt|key/i.test(
          textOf(ancestor(node, ['method_declaration'])?.field('name'))
        )
      )
    }
  }),
  rule.warning('xml-entities', {
    sentence: 'This XML parser resolves external entities, so a document can read local files (XXE).',
    suggestion: 'Disable DTDs with setFeature("http://apache.org/xml/features/disallow-doctype-decl", true).',
    kinds: ['method_invocation', 'object_creation_expression'],
    when: (node) => {
      const opens =
        kindOf(node) === 'object_creation_expression'
          ? /^(?:SAXBuilder|SAXReader|Digester)$/.test(textOf(node.field('type')))
          : (/^(?:[\w.]+\.)?(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)$/.test(
              receiver(node)
            ) &&
              /^new(?:Instance|Factory)$/.test(method(node))) ||
            (receiver(node) === 'XMLReaderFactory' && method(node) === 'createXMLReader')
      // What goes on in one chain of calls is never set up.
      const isChained =
        kindOf(node.parent()) === 'method_invocation' &&
        /^new(?:DocumentBuilder|SAXParser)$/.test(method(node.parent()!))
      return opens && (isChained || factsAround(node)?.setsUpParser !== true)
    }
  }),
  rule.warning('csrf-disabled', {
    sentence: 'CSRF protection is disabled.',
    suggestion: 'Keep CSRF protection enabled if browsers authenticate with cookies.',
    kinds: 'method_invocation',
    when: (node) =>
      (method(node) === 'disable' && /\.csrf\(\)$|^csrf$/.test(receiver(node))) ||
      (method(node) === 'csrf' && hasText(args(node)[0], /::disable$|\.disable\(\)$/))
  }),
  rule.warning('insecure-cookie', {
    sentence: 'This cookie is readable by scripts or is sent over unencrypted connections.',
    suggestion: 'Call setHttpOnly(true) and setSecure(true).',
    calls: /^(?:setHttpOnly|setSecure|httpOnly|secure)$/,
    when: (node) => textOf(args(node)[0]) === 'false'
  })
]
