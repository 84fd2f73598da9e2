import { fixedConditions } from '../../../concepts/comparisons.js'
import { ancestor, endsOf, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import { treeRulesOf } from '../../../rules/tree-rules.js'

const bug = treeRulesOf('rust', 'rust', 'bugs')

/** Which operator a trait stands for, and those that contradict it. */
const operators: Readonly<Record<string, RegExp>> = {
  Add: /^[-*/]$/,
  AddAssign: /^(?:-=|\*=|\/=)$/,
  Sub: /^[+*/]$/,
  SubAssign: /^(?:\+=|\*=|\/=)$/,
  Mul: /^[-+/]$/,
  Div: /^[-+*]$/,
  Rem: /^[-+*]$/
}

/** The statements after one in its block, up to the end or where the name is dropped. */
function* after(node: TreeNode, name: string): Generator<TreeNode> {
  for (let next = node.next(); next !== null; next = next.next()) {
    if (next.text().startsWith(`drop(${name})`)) return
    yield next
  }
}

/** `self.x + other.x` or `self.x + x`: a field with its counterpart. */
function pairsFields(operation: TreeNode): boolean {
  const field = /^self\.(\w+)$/.exec(textOf(operation.field('left')))?.[1]
  const other = /^(?:(?!self\b)\w+\.)?(\w+)$/.exec(textOf(operation.field('right')))
  return field !== undefined && other !== null && (other[1] === field || !other[0].includes('.'))
}

const maxStatements = 50

export const rustPitfallRules = [
  ...fixedConditions(bug, 'binary_expression', '||', '&&'),
  bug.warning('lock-across-await', {
    sentence: 'A std::sync guard is held across an await, which can block or deadlock other tasks.',
    suggestion: 'Drop the guard before the await, or use tokio::sync::Mutex.',
    kinds: 'let_declaration',
    when: (node, tree) => {
      const name = textOf(node.field('pattern')).replace(/^mut /, '')
      // A lock of tokio is waited for itself.
      if (
        !/\.(?:lock|write|read)\(\)(?:\.unwrap\(\)|\.expect\([^)]*\)|\?)?$/.test(
          endsOf(node.field('value'))
        ) ||
        /^\s*use tokio::sync/m.test(tree.source.text)
      ) {
        return false
      }
      let count = 0
      for (const next of after(node, name)) {
        if (++count > maxStatements) return false
        if (/\.await\b/.test(endsOf(next)) && kindOf(next) !== 'function_item') return next
      }
      return false
    },
    only: /\.await/
  }),
  bug.error('operator-mismatch', {
    sentence: 'This operator does not match the operator trait that the method implements.',
    suggestion: 'Use the operator of the trait, such as + in Add.',
    kinds: 'function_item',
    when: (node) => {
      const owner = ancestor(node, ['impl_item'])
      const trait = textOf(owner?.field('trait')).replace(/<.*$/s, '').replace(/^.*::/, '')
      const wrong = operators[trait]
      const body = node.field('body')
      if (wrong === undefined || body === null || named(body).length !== 1) return false
      const used = node.findAll({
        rule: { any: [{ kind: 'binary_expression' }, { kind: 'compound_assignment_expr' }] }
      })
      // Fractions and complex numbers mix fields and operators.
      const pairs = used.every((each) => pairsFields(each))
      return pairs && (used.find((each) => wrong.test(textOf(each.field('operator')))) ?? false)
    },
    only: /impl.*\b(?:Add|Sub|Mul|Div|Rem)/
  }),
  bug.error('index-out-of-range', {
    sentence: 'This index is out of range, so the expression panics.',
    suggestion: 'Use an index smaller than the length, or call get().',
    kinds: 'index_expression',
    when: (node) => {
      const [list, index] = named(node)
      if (kindOf(list) !== 'identifier' || kindOf(index) !== 'integer_literal') return false
      const scope = ancestor(node, ['function_item', 'closure_expression'])
      const made =
        scope === null
          ? undefined
          : new RegExp(`let ${list!.text()}(?:: [^=]+)? = \\[([^\\[\\];]*)\\];`).exec(
              scope.text().slice(0, 5_000)
            )?.[1]
      return (
        made !== undefined &&
        made.trim() !== '' &&
        Number(index!.text()) >= made.replace(/,\s*$/, '').split(',').length
      )
    },
    only: /= \[/
  })
]
