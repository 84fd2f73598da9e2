import { following, hasText, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { booleanCompare } from '../../../concepts/comparisons.js'
import { tooManyParameters } from '../../../concepts/functions.js'

const style = treeRulesOf('rust', 'rust', 'style')

/** A type of this code has a len and nothing to use in its place. */
const lacksIsEmpty = (text: string): boolean => text.includes('fn len') && !text.includes('fn is_empty')

export const rustStyleRules = [
  style.info('needless-return', {
    sentence: 'This return is unnecessary: the last expression of a function is its value.',
    suggestion: 'Remove the return keyword and the semicolon.',
    kinds: 'return_expression',
    when: (node) => {
      const statement = node.parent()
      const block = statement?.parent() ?? null
      return (
        kindOf(statement) === 'expression_statement' &&
        kindOf(block) === 'block' &&
        kindOf(block?.parent()) === 'function_item' &&
        following(statement!) === null
      )
    }
  }),
  style.info('is-empty', {
    sentence: 'Comparing len() with 0 is less clear than is_empty().',
    suggestion: 'Use is_empty().',
    kinds: 'binary_expression',
    when: (node, tree) =>
      /\.len\(\)\s*(?:==|>|!=)\s*0$|\.len\(\)\s*>=\s*1$/.test(node.text()) && !lacksIsEmpty(tree.source.text)
  }),
  booleanCompare(style),
  style.info('function-name', {
    sentence: 'Function names should be in snake_case.',
    suggestion: 'Rename the function to snake_case.',
    kinds: 'function_item',
    when: (node) => /[A-Z]/.test(textOf(node.field('name')))
  }),
  style.info('type-name', {
    sentence: 'Type names should be in UpperCamelCase.',
    suggestion: 'Rename the type to UpperCamelCase.',
    kinds: ['struct_item', 'enum_item', 'trait_item'],
    when: (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  }),
  style.info('else-after-return', {
    ...words.elseReturn,
    kinds: 'if_expression',
    when: (node) => {
      const last = named(node.field('consequence')).at(-1)
      return hasText(last, /^return\b/) &&
        kindOf(node.parent()) === 'expression_statement' &&
        /^else\s*\{/.test(textOf(node.field('alternative')))
        ? node.field('alternative')!
        : false
    }
  }),
  tooManyParameters(style, ['function_item'], 'a struct'),
  style.info('redundant-clone', {
    sentence: 'This string literal is converted to a String only to borrow it.',
    suggestion: 'Pass the literal itself.',
    kinds: 'reference_expression',
    when: (node) => /^&"[^"]*"\.to_(?:string|owned)\(\)$|^&String::from\("[^"]*"\)$/.test(node.text())
  })
]
