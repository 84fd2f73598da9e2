import { notANumber, words, type TreeRuleMaker } from '../rules/tree-rules.js'
import { kindOf, textOf } from '../tree/nodes.js'
import type { TreeRule } from '../tree/tree.js'

/** `a == a`; with the kind of an assignment among the kinds, also `a = a`. */
export const selfCompare = (bug: TreeRuleMaker, kinds: readonly string[]): TreeRule =>
  bug(
    'self-compare',
    'error',
    words.selfCompare,
    kinds,
    (node) =>
      /^(?:==|!=|<|>|<=|>=|=)$/.test(textOf(node.field('operator'))) &&
      /^[\w.]+$/.test(textOf(node.field('left'))) &&
      textOf(node.field('left')) === textOf(node.field('right')) &&
      notANumber(node),
    {
      message: (node) =>
        /^assignment/.test(kindOf(node)) ? 'This variable is assigned to itself.' : words.selfCompare.sentence
    }
  )

/** `isOpen == true` */
export const booleanCompare = (style: TreeRuleMaker): TreeRule =>
  style(
    'boolean-compare',
    'info',
    words.booleanCompare,
    'binary_expression',
    (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) && /^(?:true|false)$/.test(textOf(node.field('right')))
  )
