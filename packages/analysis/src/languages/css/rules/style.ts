import type { CssRule } from '../rule.js'
import { rule } from './shared.js'

export const cssStyleRules: readonly CssRule[] = [
  rule(
    'style',
    'important',
    'info',
    {
      sentence:
        '!important overrides every normal declaration and can only be overridden by another !important.',
      suggestion: 'Use a more specific selector or a cascade layer.'
    },
    'Declaration',
    (node, { ancestors }) =>
      node.important === true &&
      !ancestors.some(
        (each) =>
          each.type === 'Atrule' &&
          /^(?:media)$/.test(each.name) &&
          /print|reduced-motion/.test(each.prelude === null ? '' : JSON.stringify(each.prelude))
      )
  ),
  rule(
    'style',
    'id-selector',
    'info',
    {
      sentence:
        'The id selector has a higher specificity than any class, so the rule is hard to override and to reuse.',
      suggestion: 'Use a class selector.'
    },
    'IdSelector',
    () => true
  ),
  rule(
    'style',
    'zero-unit',
    'info',
    { sentence: 'A length of 0 needs no unit.', suggestion: 'Write 0.' },
    'Dimension',
    (node, { ancestors }) =>
      node.value === '0' &&
      /^(?:px|em|rem|pt|cm|mm|in|vh|vw)$/.test(node.unit) &&
      !ancestors.some((each) => each.type === 'Function')
  ),
  rule(
    'style',
    'named-color',
    'info',
    {
      sentence: 'A basic color name, such as red, bypasses the palette of the design.',
      suggestion: 'Use a custom property or a hex value.'
    },
    'Declaration',
    (node, { text }) =>
      /^(?:color|background-color)$/.test(node.property) &&
      /^(?:red|green|blue|yellow|orange|purple|pink|brown)$/.test(text(node.value))
  ),
  rule(
    'style',
    'vendor-prefix',
    'info',
    {
      sentence: 'All current browsers support this property without the vendor prefix.',
      suggestion: 'Remove the prefix, or the prefixed declaration if the standard one is there too.'
    },
    'Declaration',
    (node) =>
      /^-(?:webkit|moz|ms|o)-(?:border-radius|box-shadow|transition|transform|animation|box-sizing|flex|opacity)$/.test(
        node.property
      )
  ),
  rule(
    'style',
    'long-hex',
    'info',
    {
      sentence: 'The hex color has a three-digit form.',
      suggestion: 'Use the short form, such as #abc for #aabbcc.'
    },
    'Hash',
    (node, { ancestors }) =>
      /^([\da-f])\1([\da-f])\2([\da-f])\3$/i.test(node.value) &&
      ancestors.some((each) => each.type === 'Declaration')
  )
]
