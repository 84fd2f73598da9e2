import type { CssRule } from '../rule.js'
import { rulesOf } from './shared.js'

const rule = rulesOf('security')

export const cssSecurityRules: readonly CssRule[] = [
  rule.warning('script-in-css', {
    sentence:
      'Old browsers run expression(), behavior, -moz-binding and javascript: URLs in a style sheet as code.',
    suggestion: 'Remove the declaration, and move the behaviour into a script.',
    on: 'Declaration',
    when: (node, { text }) =>
      /\bexpression\s*\(|javascript:/i.test(text(node)) || /^(?:-moz-binding|behavior)$/i.test(node.property)
  }),
  rule.warning('insecure-resource', {
    sentence:
      'The URL uses http, so anyone on the network can read or replace the resource, and browsers block it on https pages.',
    suggestion: 'Use https or a relative URL.',
    on: 'Url',
    when: (node, { ancestors }) =>
      /^http:\/\/(?!localhost|127\.)/i.test(node.value) &&
      // The name of a namespace is never loaded.
      !ancestors.some((each) => each.type === 'Atrule' && each.name === 'namespace')
  }),
  rule.warning('insecure-import', {
    sentence:
      'The style sheet is imported over http, so anyone on the network can replace it, and browsers block it on https pages.',
    suggestion: 'Use https or a relative URL.',
    on: 'Atrule',
    when: (node, { text }) =>
      node.name === 'import' &&
      node.prelude !== null &&
      /^["']http:\/\/(?!localhost|127\.)/i.test(text(node.prelude))
  }),
  rule.warning('attribute-exfiltration', {
    sentence:
      'The selector matches the value of a field and loads a URL of another site, which tells that site what the value is.',
    suggestion: 'Remove the URL, or select by a class instead of the value.',
    on: 'Rule',
    when: (node, { text }) =>
      /\[value[\^$*]=/.test(text(node.prelude)) && /url\(\s*["']?(?:https?:)?\/\//i.test(text(node.block))
  })
]
