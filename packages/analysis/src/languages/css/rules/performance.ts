import type { CssRule } from '../rule.js'
import { rulesOf } from './shared.js'

const rule = rulesOf('performance')

const animated = /^(?:width|height|top|left|right|bottom|margin(?:-\w+)?|padding(?:-\w+)?)$/

export const cssPerformanceRules: readonly CssRule[] = [
  rule.warning('import', {
    sentence:
      'The browser finds an @import only after it has loaded this style sheet, so the two load one after the other.',
    suggestion: 'Add a <link> for each style sheet, or bundle them.',
    on: 'Atrule',
    when: (node) => node.name === 'import'
  }),
  rule.info('universal-descendant', {
    sentence: 'The universal selector makes the browser check every element against this rule.',
    suggestion: 'Select the elements by a class.',
    on: 'Selector',
    when: (node, { text }) => / \*$|^\*[ >]/.test(text(node))
  }),
  rule.info('animate-layout', {
    sentence: 'Animating this property makes the browser lay out the page again in every frame.',
    suggestion: 'Animate transform or opacity.',
    on: 'Declaration',
    when: (node, { ancestors }) =>
      animated.test(node.property) &&
      ancestors.some((each) => each.type === 'Atrule' && /keyframes$/.test(each.name))
  }),
  rule.info('transition-all', {
    sentence: 'transition: all animates every property that changes, including those that cause layout.',
    suggestion: 'List the properties to animate, such as transition: opacity 0.2s.',
    on: 'Declaration',
    when: (node, { text }) =>
      /^transition(?:-property)?$/.test(node.property) && /\ball\b/.test(text(node.value))
  }),
  rule.info('deep-selector', {
    sentence:
      'The selector has more than four combinators, so it breaks when the markup changes and is hard to override.',
    suggestion: 'Select the element by a class.',
    on: 'Selector',
    when: (node) => node.children.toArray().filter((each) => each.type === 'Combinator').length > 4
  }),
  rule.info('large-inline-image', {
    sentence:
      'The data URL is larger than 4 KB, so it delays the whole style sheet and cannot be cached by itself.',
    suggestion: 'Move the image to a file.',
    on: 'Url',
    when: (node) => node.value.startsWith('data:') && node.value.length > 4_000
  })
]
