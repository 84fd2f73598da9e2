import { args, callee } from '../../../tree/calls.js'
import { ancestor, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'

const security = treeRulesOf('rust', 'rust', 'security')

export const rustSecurityRules = [
  security.error('tls-check-disabled', {
    ...words.tls,
    kinds: 'call_expression',
    when: (node) =>
      (/\.danger_accept_invalid_(?:certs|hostnames)$/.test(callee(node)) &&
        textOf(args(node)[0]) === 'true') ||
      (/\.set_verify$/.test(callee(node)) && /SslVerifyMode::NONE/.test(textOf(args(node)[0])))
  }),
  security.warning('weak-hash', {
    ...words.weakHash,
    calls: /^(?:\w+::)*(?:Md5|Sha1)::(?:new|digest)$|^md5::compute$/
  }),
  security.warning('weak-cipher', {
    ...words.weakCipher,
    calls: /^(?:\w+::)*(?:Des|TdesEde[23]|Rc4|Rc2|Blowfish)::new\w*$|Cipher::(?:des|rc4|aes_\d+_ecb)/
  }),
  security.warning('permissive-cors', {
    ...words.cors,
    kinds: 'call_expression',
    when: (node) =>
      /(?:CorsLayer|Cors)::permissive$|\.allow_any_origin$/.test(callee(node)) ||
      (/\.allow_origin$/.test(callee(node)) && /^Any$/.test(textOf(args(node)[0])))
  }),
  security.warning('transmute', {
    sentence: 'transmute reinterprets the bytes of a value without any check.',
    suggestion: 'Use a safe conversion, such as to_bits, TryFrom or as.',
    calls: /(?:^|::)transmute(?:::<.*>)?$/
  }),
  security.info('unsafe-block', {
    sentence: 'This unsafe block has no SAFETY comment that says why it is sound.',
    suggestion: 'Use a safe API, or add a // SAFETY: comment.',
    kinds: 'unsafe_block',
    when: (node, tree) =>
      !/SAFETY:/.test(
        tree.source.lines
          .slice(Math.max(0, node.range().start.line - 4), node.range().start.line + 2)
          .join('\n')
      )
  }),
  security.warning('insecure-random', {
    ...words.random,
    suggestion: 'Use rand::rngs::OsRng or the getrandom crate.',
    calls: /^fastrand::|SmallRng::|^(?:rand::)?rngs::SmallRng/,
    when: (node) =>
      /token|secret|password|session|nonce|otp|salt|key/i.test(
        textOf(ancestor(node, ['function_item'])?.field('name'))
      )
  })
]
