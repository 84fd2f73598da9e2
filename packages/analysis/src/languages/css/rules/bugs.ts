import { generate, lexer, property as propertyInfo, type Declaration, type Rule } from 'css-tree'
import type { CssRule } from '../rule.js'
import { declarationsOf, rulesOf } from './shared.js'

const rule = rulesOf('bugs')

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

export const cssBugsRules: readonly CssRule[] = [
  rule.warning('unknown-property', {
    sentence: 'CSS has no property of this name, so browsers ignore the declaration.',
    suggestion: 'Correct the spelling of the property.',
    on: 'Declaration',
    when: (node, { ancestors }) => {
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
  }),
  rule.warning('invalid-value', {
    sentence: 'The value is not valid for this property, so browsers ignore the declaration.',
    suggestion: 'Use a value that the property accepts.',
    on: 'Declaration',
    when: (node, { text, ancestors }) => {
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
  }),
  rule.warning('duplicate-property', {
    sentence: 'The rule sets this property twice, and the later declaration overrides the earlier one.',
    suggestion: 'Remove one of the two declarations.',
    on: 'Rule',
    when: repeated
  }),
  rule.info('empty-rule', {
    sentence: 'The rule has no declarations, so it does nothing.',
    suggestion: 'Remove the rule.',
    on: 'Rule',
    when: isEmpty
  }),
  rule.warning('invisible-focus', {
    sentence: 'The rule removes the focus outline, so keyboard users cannot see which element has the focus.',
    suggestion: 'Keep the outline, or show the focus with :focus-visible, a box-shadow or a border.',
    on: 'Rule',
    when: (node, { text }) => {
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
  }),
  rule.warning('unit-on-zero-time', {
    sentence: 'A time needs a unit even if it is 0, so browsers ignore the declaration.',
    suggestion: 'Write 0s.',
    on: 'Declaration',
    when: (node, { text }) =>
      /^(?:transition|animation)-(?:duration|delay)$/.test(node.property) && text(node.value) === '0'
  })
]
