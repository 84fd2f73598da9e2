import {
  generate,
  lexer,
  property as propertyInfo,
  type CssNode,
  type Declaration,
  type Rule
} from 'css-tree'
import type { CssRule } from './rule.js'
import type { AnalysisType, RuleInfo, Severity } from '../../types.js'

function rule<T extends CssNode['type']>(
  analysisType: AnalysisType,
  id: string,
  severity: Severity,
  words: Pick<RuleInfo, 'sentence' | 'suggestion'>,
  on: T,
  when: (
    node: Extract<CssNode, { type: T }>,
    context: Parameters<CssRule['when']>[1]
  ) => ReturnType<CssRule['when']>
): CssRule {
  return {
    id: `css/${id}`,
    engine: 'css',
    languages: ['css'],
    analysisType,
    severity,
    ...words,
    on,
    when: when as CssRule['when']
  }
}

function declarationsOf(node: Rule): Declaration[] {
  return node.block.children.toArray().filter((each) => each.type === 'Declaration')
}

/** Two plain values of a property that never needed a fallback. */
function isSlip(earlier: Declaration, later: Declaration): boolean {
  const [one, two] = [generate(earlier.value), generate(later.value)]
  return (
    one === two ||
    (/^(?:color|background-color|text-align|font-weight|z-index|opacity|float|text-decoration)$/.test(
      later.property
    ) &&
      [one, two].every((value) => /^(?:[a-z]+|#[\da-f]{3,6}|[\d.]+)$/i.test(value)))
  )
}

/** Fallbacks for old browsers give the same property again with a newer value, right after the older one. */
function repeated(node: Rule): Declaration[] {
  const declarations = declarationsOf(node)
  return declarations.filter((each, index) =>
    declarations
      .slice(0, index)
      .some(
        (earlier, at) =>
          earlier.property === each.property &&
          !each.property.startsWith('--') &&
          (at !== index - 1 || isSlip(earlier, each))
      )
  )
}

/** Comments alone leave a rule empty. */
const isEmpty = (node: Rule): boolean =>
  node.block.children.toArray().every((each) => each.type === 'Comment')

const animated = /^(?:width|height|top|left|right|bottom|margin(?:-\w+)?|padding(?:-\w+)?)$/

export const cssRules: readonly CssRule[] = [
  rule(
    'security',
    'script-in-css',
    'warning',
    {
      sentence:
        'Old browsers run expression(), behavior, -moz-binding and javascript: URLs in a style sheet as code.',
      suggestion: 'Remove the declaration, and move the behaviour into a script.'
    },
    'Declaration',
    (node, { text }) =>
      /\bexpression\s*\(|javascript:/i.test(text(node)) || /^(?:-moz-binding|behavior)$/i.test(node.property)
  ),
  rule(
    'security',
    'insecure-resource',
    'warning',
    {
      sentence:
        'The URL uses http, so anyone on the network can read or replace the resource, and browsers block it on https pages.',
      suggestion: 'Use https or a relative URL.'
    },
    'Url',
    (node, { ancestors }) =>
      /^http:\/\/(?!localhost|127\.)/i.test(node.value) &&
      // The name of a namespace is never loaded.
      !ancestors.some((each) => each.type === 'Atrule' && each.name === 'namespace')
  ),
  rule(
    'security',
    'insecure-import',
    'warning',
    {
      sentence:
        'The style sheet is imported over http, so anyone on the network can replace it, and browsers block it on https pages.',
      suggestion: 'Use https or a relative URL.'
    },
    'Atrule',
    (node, { text }) =>
      node.name === 'import' &&
      node.prelude !== null &&
      /^["']http:\/\/(?!localhost|127\.)/i.test(text(node.prelude))
  ),
  rule(
    'security',
    'attribute-exfiltration',
    'warning',
    {
      sentence:
        'The selector matches the value of a field and loads a URL of another site, which tells that site what the value is.',
      suggestion: 'Remove the URL, or select by a class instead of the value.'
    },
    'Rule',
    (node, { text }) =>
      /\[value[\^$*]=/.test(text(node.prelude)) && /url\(\s*["']?(?:https?:)?\/\//i.test(text(node.block))
  ),
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
  ),
  rule(
    'bugs',
    'unknown-property',
    'warning',
    {
      sentence: 'CSS has no property of this name, so browsers ignore the declaration.',
      suggestion: 'Correct the spelling of the property.'
    },
    'Declaration',
    (node, { ancestors }) => {
      const { custom, vendor, hack } = propertyInfo(node.property) as {
        custom: boolean
        vendor: string
        hack: string
      }
      if (
        custom ||
        vendor !== '' ||
        hack ||
        ancestors.some(
          (each) =>
            each.type === 'Atrule' &&
            !/^(?:media|supports|layer|container|keyframes|scope|starting-style)$/.test(each.name)
        )
      ) {
        return false
      }
      return (lexer as unknown as { getProperty(name: string): unknown }).getProperty(node.property) === null
    }
  ),
  rule(
    'bugs',
    'invalid-value',
    'warning',
    {
      sentence: 'The value is not valid for this property, so browsers ignore the declaration.',
      suggestion: 'Use a value that the property accepts.'
    },
    'Declaration',
    (node, { text, ancestors }) => {
      if (
        node.value.type !== 'Value' ||
        node.property.startsWith('--') ||
        /^[-*_]/.test(node.property) ||
        /var\(|env\(|calc|clamp|min\(|max\(|attr\(|-(?:webkit|moz|ms)-|[!\\@$]|color-mix|oklch|oklab|light-dark|anchor/.test(
          text(node.value)
        )
      ) {
        return false
      }
      if (
        ancestors.some(
          (each) => each.type === 'Atrule' && !/^(?:media|supports|layer|container)$/.test(each.name)
        )
      ) {
        return false
      }
      const match = lexer.matchProperty(node.property, node.value) as { error: { name?: string } | null }
      return match.error !== null && match.error.name === 'SyntaxMatchError'
    }
  ),
  rule(
    'bugs',
    'duplicate-property',
    'warning',
    {
      sentence: 'The rule sets this property twice, and the later declaration overrides the earlier one.',
      suggestion: 'Remove one of the two declarations.'
    },
    'Rule',
    repeated
  ),
  rule(
    'bugs',
    'empty-rule',
    'info',
    { sentence: 'The rule has no declarations, so it does nothing.', suggestion: 'Remove the rule.' },
    'Rule',
    isEmpty
  ),
  rule(
    'bugs',
    'invisible-focus',
    'warning',
    {
      sentence:
        'The rule removes the focus outline, so keyboard users cannot see which element has the focus.',
      suggestion: 'Keep the outline, or show the focus with :focus-visible, a box-shadow or a border.'
    },
    'Rule',
    (node, { text }) => {
      const declarations = declarationsOf(node)
      const removed = declarations.find(
        (each) => each.property === 'outline' && /^(?:none|0)$/.test(text(each.value))
      )
      return /:focus(?!-visible|-within)\b(?!:not\(:focus-visible\))/.test(text(node.prelude)) &&
        removed !== undefined &&
        !declarations.some((each) =>
          /^(?:box-shadow|border(?:-\w+)?|background(?:-color)?|text-decoration)$/.test(each.property)
        )
        ? removed
        : false
    }
  ),
  rule(
    'bugs',
    'unit-on-zero-time',
    'warning',
    {
      sentence: 'A time needs a unit even if it is 0, so browsers ignore the declaration.',
      suggestion: 'Write 0s.'
    },
    'Declaration',
    (node, { text }) =>
      /^(?:transition|animation)-(?:duration|delay)$/.test(node.property) && text(node.value) === '0'
  ),
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
