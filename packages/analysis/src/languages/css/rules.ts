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

/** The first child of a block that is nothing but blank space or comments. */
const isEmpty = (node: Rule): boolean =>
  node.block.children.toArray().every((each) => each.type === 'Comment')

const animated = /^(?:width|height|top|left|right|bottom|margin(?:-\w+)?|padding(?:-\w+)?)$/

export const cssRules: readonly CssRule[] = [
  rule(
    'security',
    'script-in-css',
    'warning',
    {
      sentence: 'The style can run script in old browsers.',
      suggestion: 'Remove expressions, bindings and javascript: addresses.'
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
      sentence: 'The resource is loaded over a plain connection, where anyone can replace it.',
      suggestion: 'Load it over https.'
    },
    'Url',
    (node) => /^http:\/\/(?!localhost|127\.)/i.test(node.value)
  ),
  rule(
    'security',
    'insecure-import',
    'warning',
    {
      sentence: 'The style sheet is loaded over a plain connection, where anyone can replace it.',
      suggestion: 'Load it over https.'
    },
    'Atrule',
    (node, { text }) =>
      node.name === 'import' && node.prelude !== null && /^["']http:\/\//i.test(text(node.prelude))
  ),
  rule(
    'security',
    'attribute-exfiltration',
    'warning',
    {
      sentence: "A selector on a field's value together with an address can send what is typed elsewhere.",
      suggestion: 'Do not load addresses from selectors on values.'
    },
    'Rule',
    (node, { text }) => /\[value[\^$*]=/.test(text(node.prelude)) && /url\(/.test(text(node.block))
  ),
  rule(
    'performance',
    'import',
    'warning',
    {
      sentence: 'Imports load one after the other.',
      suggestion: 'Link the style sheets from the page, or bundle them.'
    },
    'Atrule',
    (node) => node.name === 'import'
  ),
  rule(
    'performance',
    'universal-descendant',
    'info',
    {
      sentence: 'The browser tests every element of the page against this selector.',
      suggestion: 'Select by a class.'
    },
    'Selector',
    (node, { text }) => / \*$|^\*[ >]/.test(text(node))
  ),
  rule(
    'performance',
    'animate-layout',
    'info',
    {
      sentence: 'Animating this property lays out the page again in every frame.',
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
      sentence: 'Every property is watched for changes and animated.',
      suggestion: 'Name the properties to animate.'
    },
    'Declaration',
    (node, { text }) => /^transition(?:-property)?$/.test(node.property) && /\ball\b/.test(text(node.value))
  ),
  rule(
    'performance',
    'deep-selector',
    'info',
    { sentence: 'The selector has very many steps.', suggestion: 'Select by a class.' },
    'Selector',
    (node) => node.children.toArray().filter((each) => each.type === 'Combinator').length > 4
  ),
  rule(
    'performance',
    'large-inline-image',
    'info',
    {
      sentence: 'A large picture is written into the style sheet and delays it.',
      suggestion: 'Load the picture from a file.'
    },
    'Url',
    (node) => node.value.startsWith('data:') && node.value.length > 4_000
  ),
  rule(
    'bugs',
    'unknown-property',
    'warning',
    { sentence: 'No browser knows this property.', suggestion: 'Correct the name of the property.' },
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
      sentence: 'The property does not take this value, so browsers ignore the line.',
      suggestion: 'Use a value that the property takes.'
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
      sentence: 'The property is set twice in one rule; the first is lost.',
      suggestion: 'Keep one of the two.'
    },
    'Rule',
    repeated
  ),
  rule(
    'bugs',
    'empty-rule',
    'info',
    { sentence: 'The rule sets nothing.', suggestion: 'Remove the rule.' },
    'Rule',
    isEmpty
  ),
  rule(
    'bugs',
    'invisible-focus',
    'warning',
    {
      sentence: 'People who use the keyboard cannot see where they are.',
      suggestion: 'Show the focus in another way when you remove the outline.'
    },
    'Rule',
    (node, { text }) => {
      const declarations = declarationsOf(node)
      const removed = declarations.find(
        (each) => each.property === 'outline' && /^(?:none|0)$/.test(text(each.value))
      )
      return /:focus(?!-visible|-within)\b/.test(text(node.prelude)) &&
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
    { sentence: 'A time needs a unit, even zero.', suggestion: 'Write 0s.' },
    'Declaration',
    (node, { text }) =>
      /^(?:transition|animation)-(?:duration|delay)$/.test(node.property) && text(node.value) === '0'
  ),
  rule(
    'style',
    'important',
    'info',
    {
      sentence: '!important overrides everything and is hard to override.',
      suggestion: 'Raise the specificity of the selector instead.'
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
    { sentence: 'A selector by id is hard to override and to use again.', suggestion: 'Select by a class.' },
    'IdSelector',
    () => true
  ),
  rule(
    'style',
    'zero-unit',
    'info',
    { sentence: 'Zero needs no unit.', suggestion: 'Write 0.' },
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
    { sentence: 'A colour is given by name.', suggestion: 'Use a custom property or a hex value.' },
    'Declaration',
    (node, { text }) =>
      /^(?:color|background-color)$/.test(node.property) &&
      /^(?:red|green|blue|yellow|orange|purple|pink|brown)$/.test(text(node.value))
  ),
  rule(
    'style',
    'vendor-prefix',
    'info',
    { sentence: 'The prefix has long been unnecessary.', suggestion: 'Drop the prefix.' },
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
    { sentence: 'The colour can be written shorter.', suggestion: 'Use the short form of the colour.' },
    'Hash',
    (node, { ancestors }) =>
      /^([\da-f])\1([\da-f])\2([\da-f])\3$/i.test(node.value) &&
      ancestors.some((each) => each.type === 'Declaration')
  )
]
