import { following, hasText, kindOf, named, textOf } from '../../../tree/nodes.js'
import { treeRulesOf, words } from '../../../rules/tree-rules.js'
import { booleanCompare } from '../../../concepts/comparisons.js'
import { tooManyParameters } from '../../../concepts/functions.js'

const style = treeRulesOf('rust', 'rust', 'style')

/** A type of this code has a len and nothing to use in its place. */
const lacksIsEmpty = (text: string): boolean => text.includes('fn len') && !text.includes('fn is_empty')

export const rustStyleRules = [
  style(
    'needless-return',
    'info',
    {
      sentence: 'This return is unnecessary: the last expression of a function is its value.',
      suggestion: 'Remove the return keyword and the semicolon.'
    },
    'return_expression',
    (node) => {
      const statement = node.parent()
      const block = statement?.parent() ?? null
      return (
        kindOf(statement ?? null) === 'expression_statement' &&
        kindOf(block) === 'block' &&
        kindOf(block?.parent() ?? null) === 'function_item' &&
        following(statement!) === null
      )
    }
  ),
  style(
    'is-empty',
    'info',
    { sentence: 'Comparing len() with 0 is less clear than is_empty().', suggestion: 'Use is_empty().' },
    'binary_expression',
    (node, tree) =>
      /\.len\(\)\s*(?:==|>|!=)\s*0$|\.len\(\)\s*>=\s*1$/.test(node.text()) && !lacksIsEmpty(tree.source.text)
  ),
  booleanCompare(style),
  style(
    'function-name',
    'info',
    { sentence: 'Function names should be in snake_case.', suggestion: 'Rename the function to snake_case.' },
    'function_item',
    (node) => /[A-Z]/.test(textOf(node.field('name')))
  ),
  style(
    'type-name',
    'info',
    { sentence: 'Type names should be in UpperCamelCase.', suggestion: 'Rename the type to UpperCamelCase.' },
    ['struct_item', 'enum_item', 'trait_item'],
    (node) => /^[a-z]|_/.test(textOf(node.field('name')))
  ),
  style('else-after-return', 'info', words.elseReturn, 'if_expression', (node) => {
    const last = named(node.field('consequence')).at(-1)
    return hasText(last ?? null, /^return\b/) &&
      kindOf(node.parent()) === 'expression_statement' &&
      /^else\s*\{/.test(textOf(node.field('alternative')))
      ? node.field('alternative')!
      : false
  }),
  tooManyParameters(style, ['function_item'], 'a struct'),
  style(
    'redundant-clone',
    'info',
    {
      sentence: 'This string literal is converted to a String only to borrow it.',
      suggestion: 'Pass the literal itself.'
    },
    'reference_expression',
    (node) => /^&"[^"]*"\.to_(?:string|owned)\(\)$|^&String::from\("[^"]*"\)$/.test(node.text())
  )
]
