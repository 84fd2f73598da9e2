import { isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  constant,
  fixed,
  named,
  typePrefix,
  unknown,
  type Declared,
  type Expression,
  type Parameter,
  type Statement,
  type Target
} from '../../../flow/form.js'
import { children, comparison, lineOf, termsOf } from '../../../flow/tree-nodes.js'

/** Brings Go into the form. */
export function lowerGo(root: TreeNode): Statement[] {
  return children(root).flatMap(statement)
}

function statementsOf(block: TreeNode | null): Statement[] {
  return children(block).flatMap((each) =>
    kindOf(each) === 'statement_list' ? children(each).flatMap(statement) : statement(each)
  )
}

function statement(node: TreeNode): Statement[] {
  switch (kindOf(node)) {
    case 'import_declaration':
      return children(node)
        .flatMap((each) => (kindOf(each) === 'import_spec_list' ? children(each) : [each]))
        .flatMap(importOf)
    case 'function_declaration':
      return [{ does: 'declare', declared: functionOf(node, textOf(node.field('name'))) }]
    case 'method_declaration':
      return [
        { does: 'declare', declared: functionOf(node, `${receiverOf(node)}.${textOf(node.field('name'))}`) }
      ]
    case 'expression_statement':
      return children(node).map((each): Statement => ({ does: 'run', value: expression(each) }))
    case 'go_statement':
    case 'defer_statement':
      return children(node).map((each): Statement => ({ does: 'run', value: expression(each) }))
    case 'short_var_declaration':
      return assignments(node, true)
    case 'assignment_statement':
      return assignments(node, false)
    case 'var_declaration':
    case 'const_declaration':
      return children(node)
        .flatMap((each) => (kindOf(each) === 'var_spec_list' ? children(each) : [each]))
        .flatMap(specOf)
    case 'return_statement':
      return [
        {
          does: 'return',
          value:
            children(children(node)[0] ?? null)[0] === undefined
              ? null
              : expression(children(children(node)[0]!)[0]!),
          line: lineOf(node)
        }
      ]
    case 'break_statement':
    case 'continue_statement':
    case 'goto_statement':
      return [{ does: 'jump' }]
    case 'if_statement':
      return [
        ...(node.field('initializer') === null ? [] : statement(node.field('initializer')!)),
        conditionOf(node)
      ]
    case 'for_statement':
      return [loopOf(node)]
    case 'expression_switch_statement':
    case 'type_switch_statement':
    case 'select_statement':
      return casesOf(node)
    case 'block':
      return [{ does: 'block', body: statementsOf(node) }]
    case 'labeled_statement':
      return children(node).slice(1).flatMap(statement)
    default:
      return []
  }
}

function conditionOf(node: TreeNode): Statement {
  const otherwise = node.field('alternative')
  return {
    does: 'if',
    test: expression(node.field('condition')),
    then: statementsOf(node.field('consequence')),
    otherwise:
      otherwise === null ? [] : kindOf(otherwise) === 'block' ? statementsOf(otherwise) : statement(otherwise)
  }
}

function loopOf(node: TreeNode): Statement {
  const clause = children(node)[0] ?? null
  if (kindOf(clause) === 'range_clause') {
    const names = children(clause!.field('left'))
    return {
      does: 'loop',
      element: target(names.at(-1) ?? null),
      over: expression(clause!.field('right')),
      body: statementsOf(node.field('body'))
    }
  }
  const start = clause?.field('initializer') ?? null
  return {
    does: 'loop',
    element: null,
    over: null,
    body: [...(start === null ? [] : statement(start)), ...statementsOf(node.field('body'))]
  }
}

function casesOf(node: TreeNode): Statement[] {
  const start = node.field('initializer')
  const cases = children(node).filter((each) => /_case$/.test(kindOf(each)))
  return [
    ...(start === null ? [] : statement(start)),
    ...cases.map(
      (each): Statement => ({
        does: 'loop',
        element: null,
        over: null,
        body: children(each).flatMap((part) =>
          kindOf(part) === 'statement_list' ? children(part).flatMap(statement) : statement(part)
        )
      })
    )
  ]
}

/** `import r "math/rand"`: r is `rand`, as the tables know it. */
function importOf(node: TreeNode): Statement[] {
  const path = literalOf(node.field('path')).replace(/\/v\d+$/, '')
  const alias = textOf(node.field('name'))
  if (alias === '' || alias === '_' || alias === '.') return []
  return [
    {
      does: 'set',
      target: { to: 'name', name: alias },
      value: named(path.split('/').at(-1)!),
      adds: false,
      line: lineOf(node)
    }
  ]
}

function assignments(node: TreeNode, isNew: boolean): Statement[] {
  const targets = children(node.field('left'))
  const values = children(node.field('right'))
  const adds = textOf(node.field('operator')) === '+='
  // `value, err := call()`: the first name holds what matters.
  return targets.flatMap((each, index): Statement[] => {
    const value = values[index] ?? (index === 0 ? values[0] : undefined)
    if (each.text() === '_') return value === undefined ? [] : [{ does: 'run', value: expression(value) }]
    const made = target(each)
    return [
      {
        does: 'set',
        target: made.to === 'name' && isNew ? { ...made, isNew: true } : made,
        value: value === undefined ? fixed : expression(value),
        adds,
        line: lineOf(node)
      }
    ]
  })
}

function specOf(node: TreeNode): Statement[] {
  const names = children(node).filter((each) => kindOf(each) === 'identifier')
  const values = children(node.field('value'))
  return names.map(
    (each, index): Statement => ({
      does: 'set',
      target: { to: 'name', name: each.text(), isNew: true },
      value: values[index] === undefined ? typed(textOf(node.field('type'))) : expression(values[index]!),
      adds: false,
      line: lineOf(node)
    })
  )
}

/** A variable that is only declared is empty, and known by its type. */
const typed = (type: string): Expression =>
  /^(?:string|int\w*|float\w*|bool|byte|\[\]\w+|)$/.test(type)
    ? fixed
    : { is: 'call', callee: named(`${typePrefix}${pathOf(type)}`), args: [fixed], line: 0 }

const pathOf = (type: string): string => type.replace(/^[*&[\]]+/, '')

function receiverOf(node: TreeNode): string {
  return textOf(children(children(node.field('receiver'))[0] ?? null)[0] ?? null)
}

function functionOf(node: TreeNode, name: string): Declared {
  return {
    name,
    parameters: children(node.field('parameters')).flatMap((each): Parameter[] => {
      const type = pathOf(textOf(each.field('type')))
      const path = /^(?:int\w*|uint\w*|float\w*|bool|byte|rune|time\.\w+|uuid\.UUID)$/.test(type)
        ? 'number'
        : /^(?:string|interface\{\}|any|error)$/.test(type)
          ? ''
          : type
      return children(each)
        .filter((part) => kindOf(part) === 'identifier')
        .map((part) => ({ target: { to: 'name', name: part.text() }, path, isInput: false }))
    }),
    body: statementsOf(node.field('body')),
    line: lineOf(node)
  }
}

function target(node: TreeNode | null): Target {
  switch (kindOf(node)) {
    case 'identifier':
      return { to: 'name', name: node!.text() }
    case 'selector_expression':
      return { to: 'field', of: expression(node!.field('operand')), key: textOf(node!.field('field')) }
    case 'index_expression':
      return { to: 'field', of: expression(node!.field('operand')), key: keyOf(node!) }
    default:
      return { to: 'parts', parts: [] }
  }
}

function keyOf(node: TreeNode): string | Expression {
  const key = expression(node.field('index'))
  return key.is === 'text' ? key.text : key
}

function expression(node: TreeNode | null): Expression {
  if (node === null) return fixed
  if (isString(node)) return { is: 'text', text: literalOf(node) }
  switch (kindOf(node)) {
    case 'int_literal':
    case 'float_literal':
    case 'rune_literal':
    case 'true':
    case 'false':
    case 'nil':
    case 'imaginary_literal':
      return constant(node.text())
    case 'identifier':
    case 'package_identifier':
      return named(node.text())
    case 'selector_expression':
      return { is: 'field', of: expression(node.field('operand')), key: textOf(node.field('field')) }
    case 'index_expression':
      return { is: 'field', of: expression(node.field('operand')), key: keyOf(node) }
    case 'slice_expression':
    case 'type_assertion_expression':
      return expression(node.field('operand'))
    case 'parenthesized_expression':
    case 'variadic_argument':
    case 'literal_element':
      return expression(children(node)[0] ?? null)
    case 'call_expression':
      return callOf(node)
    case 'type_conversion_expression':
      return expression(node.field('operand'))
    case 'binary_expression':
      return binary(node)
    case 'unary_expression':
      return textOf(node.field('operator')) === '!'
        ? { is: 'not', of: expression(node.field('operand')) }
        : expression(node.field('operand'))
    case 'composite_literal':
      return literal(node)
    case 'literal_value':
      return { is: 'any', of: [fixed, ...children(node).map(expression)] }
    case 'func_literal':
      return { is: 'function', declared: functionOf(node, '') }
    default:
      return unknown()
  }
}

function literal(node: TreeNode): Expression {
  const elements = children(node.field('body'))
  if (elements.every((each) => kindOf(each) !== 'keyed_element')) {
    return { is: 'any', of: [fixed, ...elements.map(expression)] }
  }
  const type = textOf(node.field('type'))
  return {
    is: 'record',
    ...(type.includes('.') ? { type } : {}),
    entries: elements.map((each) => {
      const [key, value] = children(each)
      const inner = children(key ?? null)[0] ?? null
      return [
        inner === null ? null : isString(inner) ? literalOf(inner) : inner.text(),
        expression(value ?? null)
      ] as const
    })
  }
}

function binary(node: TreeNode): Expression {
  const operator = textOf(node.field('operator'))
  if (operator === '+') {
    return { is: 'joined', parts: termsOf(node, 'binary_expression', expression), line: lineOf(node) }
  }
  const of = [expression(node.field('left')), expression(node.field('right'))]
  return { is: 'test', of, how: operator === '&&' ? 'and' : operator === '||' ? 'or' : comparison(operator) }
}

function callOf(node: TreeNode): Expression {
  const callee = node.field('function')
  // `string(x)`, `[]byte(x)`: the value itself.
  if (/^(?:string|\[\]byte|\[\]rune)$/.test(textOf(callee))) {
    return expression(children(node.field('arguments'))[0] ?? null)
  }
  const args = children(node.field('arguments')).map(expression)
  // What is printed is one text.
  const printed: Expression[] = /^fmt\.Fprint(?:f|ln)?$/.test(textOf(callee))
    ? [args[0] ?? fixed, { is: 'joined', parts: args.slice(1), line: lineOf(node) }]
    : args
  return {
    is: 'call',
    callee: expression(callee),
    args: printed,
    line: lineOf(callee?.field('field') ?? node)
  }
}
