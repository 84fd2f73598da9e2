import type { CssRule } from '../rule.js'
import { rulesOf } from './shared.js'

const rule = rulesOf('style')

export const cssStyleRules: readonly CssRule[] = [
  rule.info('important', {
    sentence:
      '!important overrides every normal declaration and can only be overridden by another !important.',
    suggestion: 'Use a more specific selector or a cascade layer.',
    on: 'Declaration',
    when: (node, { ancestors }) =>
      node.important === true &&
      !ancestors.some(
        (each) =>
          each.type === 'Atrule' &&
          /^(?:media)$/.test(each.name) &&
          /print|reduced-motion/.test(each.prelude === null ? '' : JSON.stringify(each.prelude))
      )
  }),
  rule.info('id-selector', {
    sentence:
      'The id selector has a higher specificity than any class, so the rule is hard to override and to reuse.',
    suggestion: 'Use a class selector.',
    on: 'IdSelector',
    when: () => true
  }),
  rule.info('zero-unit', {
    sentence: 'A length of 0 needs no unit.',
    suggestion: 'Write 0.',
    on: 'Dimension',
    when: (node, { ancestors }) =>
      node.value === '0' &&
      /^(?:px|em|rem|pt|cm|mm|in|vh|vw)$/.test(node.unit) &&
      !ancestors.some((each) => each.type === 'Function')
  }),
  rule.info('named-color', {
    sentence: 'A basic color name, such as red, bypasses the palette of the design.',
    suggestion: 'Use a custom property or a hex value.',
    on: 'Declaration',
    when: (node, { text }) =>
      /^(?:color|background-color)$/.test(node.property) &&
      /^(?:red|green|blue|yellow|orange|purple|pink|brown)$/.test(text(node.value))
  }),
  rule.info('vendor-prefix', {
    sentence: 'All current browsers support this property without the vendor prefix.',
    suggestion: 'Remove the prefix, or the prefixed declaration if the standard one is there too.',
    on: 'Declaration',
    when: (node) =>
      /^-(?:webkit|moz|ms|o)-(?:border-radius|box-shadow|transition|transform|animation|box-sizing|flex|opacity)$/.test(
        node.property
      )
  }),
  rule.info('long-hex', {
    sentence: 'The hex color has a three-digit form.',
    suggestion: 'Use the short form, such as #abc for #aabbcc.',
    on: 'Hash',
    when: (node, { ancestors }) =>
      /^([\da-f])\1([\da-f])\2([\da-f])\3$/i.test(node.value) &&
      ancestors.some((each) => each.type === 'Declaration')
  })
]
