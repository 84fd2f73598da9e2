import type { CssRule } from '../rule.js'
import { rule } from './shared.js'

const animated = /^(?:width|height|top|left|right|bottom|margin(?:-\w+)?|padding(?:-\w+)?)$/

export const cssPerformanceRules: readonly CssRule[] = [
  rule(
    'performance',
    'import',
    'warning',
    {
      sentence:
        'The browser finds an @import only after it has loaded this style sheet, so the two load one after the other.',
      suggestion: 'Add a <link> for each style sheet, or bundle them.'
    },
    'Atrule',
    (node) => node.name === 'import'
  ),
  rule(
    'performance',
    'universal-descendant',
    'info',
    {
      sentence: 'The universal selector makes the browser check every element against this rule.',
      suggestion: 'Select the elements by a class.'
    },
    'Selector',
    (node, { text }) => / \*$|^\*[ >]/.test(text(node))
  ),
  rule(
    'performance',
    'animate-layout',
    'info',
    {
      sentence: 'Animating this property makes the browser lay out the page again in every frame.',
      suggestion: 'Animate transform or opacity.'
    },
    'Declaration',
    (node, { ancestors }) =>
      animated.test(node.property) &&
      ancestors.some((each) => each.type === 'Atrule' && /keyframes$/.test(each.name))
  ),
  rule(
    'performance',
    'transition-all',
    'info',
    {
      sentence: 'transition: all animates every property that changes, including those that cause layout.',
      suggestion: 'List the properties to animate, such as transition: opacity 0.2s.'
    },
    'Declaration',
    (node, { text }) => /^transition(?:-property)?$/.test(node.property) && /\ball\b/.test(text(node.value))
  ),
  rule(
    'performance',
    'deep-selector',
    'info',
    {
      sentence:
        'The selector has more than four combinators, so it breaks when the markup changes and is hard to override.',
      suggestion: 'Select the element by a class.'
    },
    'Selector',
    (node) => node.children.toArray().filter((each) => each.type === 'Combinator').length > 4
  ),
  rule(
    'performance',
    'large-inline-image',
    'info',
    {
      sentence:
        'The data URL is larger than 4 KB, so it delays the whole style sheet and cannot be cached by itself.',
      suggestion: 'Move the image to a file.'
    },
    'Url',
    (node) => node.value.startsWith('data:') && node.value.length > 4_000
  )
]
