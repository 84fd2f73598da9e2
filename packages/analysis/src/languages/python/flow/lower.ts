import { kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  constant,
  fixed,
  off,
  named,
  unknown,
  type Declared,
  type Expression,
  type Parameter,
  type Statement,
  type Target
} from '../../../flow/form.js'
import { children, comparison, lineOf, termsOf } from '../../../flow/tree-nodes.js'
import { routeOf } from './routes.js'

/** Brings Python into the form. */
export function lowerPython(root: TreeNode): Statement[] {
  return statementsOf(root)
}

function statementsOf(block: TreeNode | null): Statement[] {
  return children(block).flatMap((each) => statement(each))
}

function statement(node: TreeNode, decorators: readonly TreeNode[] = []): Statement[] {
  switch (kindOf(node)) {
    case 'expression_statement':
      return children(node).flatMap(simple)
    case 'function_definition':
      return [{ does: 'declare', declared: functionOf(node, decorators) }]
    case 'decorated_definition':
      return statement(
        node.field('definition')!,
        children(node).filter((each) => kindOf(each) === 'decorator')
      )
    case 'class_definition':
      return [{ does: 'block', body: methodsOf(node.field('body')) }]
    case 'return_statement':
      return [
        {
          does: 'return',
          value: children(node)[0] === undefined ? null : expression(children(node)[0]!),
          line: lineOf(node)
        }
      ]
    case 'break_statement':
    case 'continue_statement':
      return [{ does: 'jump' }]
    case 'raise_statement':
      return [{ does: 'leave', value: unknown(...children(node).map(expression)) }]
    case 'if_statement':
      return [
        condition(
          node,
          node.children().filter((each) => /^(?:elif|else)_clause$/.test(kindOf(each)))
        )
      ]
    case 'for_statement':
      return [
        {
          does: 'loop',
          element: target(node.field('left')),
          over: expression(node.field('right')),
          body: statementsOf(node.field('body'))
        }
      ]
    case 'while_statement':
      return [
        {
          does: 'loop',
          element: null,
          over: test(node.field('condition')),
          body: statementsOf(node.field('body'))
        }
      ]
    case 'try_statement':
      return triesOf(node)
    case 'with_statement':
      return [
        ...children(children(node)[0] ?? null)
          .flatMap((item) => children(item))
          .flatMap(opened),
        ...statementsOf(node.field('body'))
      ]
    case 'import_statement':
    case 'import_from_statement':
      return importsOf(node)
    case 'delete_statement':
    case 'assert_statement':
      return []
    case 'match_statement':
      return children(node.field('body')).map(
        (each): Statement => ({
          does: 'loop',
          element: null,
          over: null,
          body: statementsOf(each.field('consequence'))
        })
      )
    default:
      return []
  }
}

function simple(node: TreeNode): Statement[] {
  if (kindOf(node) === 'assignment') {
    const right = node.field('right')
    if (right === null) return []
    const isNumber = /^(?:int|float|bool)$/.test(textOf(node.field('type')))
    // `a = b = value`
    const inner = kindOf(right) === 'assignment' ? simple(right) : []
    const value = kindOf(right) === 'assignment' ? expression(right.field('left')) : expression(right)
    return [
      ...inner,
      {
        does: 'set',
        target: target(node.field('left')),
        value: isNumber ? fixed : value,
        adds: false,
        line: lineOf(node)
      }
    ]
  }
  if (kindOf(node) === 'augmented_assignment') {
    return [
      {
        does: 'set',
        target: target(node.field('left')),
        value: expression(node.field('right')),
        adds: textOf(node.field('operator')) === '+=',
        line: lineOf(node)
      }
    ]
  }
  return [{ does: 'run', value: expression(node) }]
}

function methodsOf(body: TreeNode | null): Statement[] {
  return statementsOf(body).map((each) =>
    each.does === 'declare'
      ? { does: 'declare', declared: { ...each.declared, name: `self.${each.declared.name}` } }
      : each
  )
}

function condition(node: TreeNode, rest: readonly TreeNode[]): Statement {
  const [next, ...others] = rest
  const otherwise =
    next === undefined
      ? []
      : kindOf(next) === 'else_clause'
        ? statementsOf(next.field('body'))
        : [condition(next, others)]
  return {
    does: 'if',
    test: test(node.field('condition')),
    then: statementsOf(node.field('consequence')),
    otherwise
  }
}

function triesOf(node: TreeNode): Statement[] {
  const handlers = children(node).filter((each) => /^(?:except|except_group)_clause$/.test(kindOf(each)))
  const last = children(node).filter((each) => /^(?:else|finally)_clause$/.test(kindOf(each)))
  return [
    {
      does: 'if',
      test: fixed,
      then: statementsOf(node.field('body')),
      otherwise: handlers.map(
        (each): Statement => ({
          does: 'loop',
          element: null,
          over: null,
          body: statementsOf(children(each).at(-1)!)
        })
      )
    },
    ...last.flatMap((each) => statementsOf(children(each).at(-1)!))
  ]
}

/** `with open(path) as file` */
function opened(node: TreeNode): Statement[] {
  if (kindOf(node) !== 'as_pattern') return [{ does: 'run', value: expression(node) }]
  const [value, alias] = children(node)
  return [
    {
      does: 'set',
      target: target(children(alias ?? null)[0] ?? null),
      value: expression(value ?? null),
      adds: false,
      line: lineOf(node)
    }
  ]
}

/** `from os import system as run`: run is `os.system`. */
function importsOf(node: TreeNode): Statement[] {
  const module = textOf(node.field('module_name'))
  return children(node)
    .filter((each) => each.text() !== module || kindOf(node) === 'import_statement')
    .flatMap((each): Statement[] => {
      const name = kindOf(each) === 'aliased_import' ? textOf(each.field('name')) : each.text()
      const alias =
        kindOf(each) === 'aliased_import'
          ? textOf(each.field('alias'))
          : module === ''
            ? name.split('.')[0]!
            : name
      const path = module === '' ? (kindOf(each) === 'aliased_import' ? name : alias) : `${module}.${name}`
      return [
        {
          does: 'set',
          target: { to: 'name', name: alias },
          value: named(path),
          adds: false,
          line: lineOf(node)
        }
      ]
    })
}

function functionOf(node: TreeNode, decorators: readonly TreeNode[]): Declared {
  const route = routeOf(decorators)
  return {
    name: textOf(node.field('name')),
    parameters: children(node.field('parameters'))
      .filter((each) => !/^(?:self|cls)$/.test(each.text()))
      .map((each): Parameter => {
        const name = textOf(
          each.field('name') ?? (kindOf(each) === 'identifier' ? each : (children(each)[0] ?? null))
        )
        const type = textOf(each.field('type'))
        const isNumber =
          /^(?:int|float|bool|UUID|uuid\.UUID|date|datetime)\b/.test(type) || route.numbers.has(name)
        return {
          target: { to: 'name', name },
          path: isNumber ? 'number' : '',
          isInput: !isNumber && route.isInput(name, type, textOf(each.field('value'))),
          harmlessAs: route.isSegment(name) ? ['path'] : []
        }
      }),
    body: statementsOf(node.field('body')),
    line: lineOf(node),
    answers: route.isPage ? 'page' : undefined
  }
}

function target(node: TreeNode | null): Target {
  switch (kindOf(node)) {
    case 'identifier':
      return { to: 'name', name: node!.text() }
    case 'attribute':
      return { to: 'field', of: expression(node!.field('object')), key: textOf(node!.field('attribute')) }
    case 'subscript':
      return { to: 'field', of: expression(node!.field('value')), key: keyIn(node!) }
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'list_splat_pattern':
      return { to: 'parts', parts: children(node).map((each) => [null, target(each)] as const) }
    default:
      return { to: 'parts', parts: [] }
  }
}

function keyIn(node: TreeNode): string | Expression {
  const key = node.field('subscript')
  const lowered = expression(key)
  return lowered.is === 'text' ? lowered.text : lowered
}

function expression(node: TreeNode | null): Expression {
  switch (kindOf(node)) {
    case '':
      return fixed
    case 'integer':
    case 'float':
    case 'true':
    case 'none':
      return constant(node!.text())
    case 'ellipsis':
    case 'slice':
      return fixed
    case 'false':
      return off
    case 'identifier':
      return named(node!.text())
    case 'string':
      return string(node!)
    case 'concatenated_string':
      return { is: 'joined', parts: children(node).map(expression), line: lineOf(node!) }
    case 'attribute':
      return { is: 'field', of: expression(node!.field('object')), key: textOf(node!.field('attribute')) }
    case 'subscript':
      return { is: 'field', of: expression(node!.field('value')), key: keyIn(node!) }
    case 'call':
      return call(node!)
    case 'binary_operator':
      return binary(node!)
    case 'boolean_operator':
      return { is: 'any', of: [expression(node!.field('left')), expression(node!.field('right'))] }
    case 'not_operator':
      return { is: 'not', of: expression(node!.field('argument')) }
    case 'comparison_operator':
      return compare(node!)
    case 'conditional_expression':
      return { is: 'any', of: [children(node)[0]!, children(node)[2]!].map(expression) }
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return { is: 'any', of: [fixed, ...children(node).map(expression)] }
    case 'dictionary':
      return {
        is: 'record',
        entries: children(node).map((each) =>
          kindOf(each) === 'pair'
            ? ([keyText(each.field('key')), expression(each.field('value'))] as const)
            : ([null, unknown()] as const)
        )
      }
    case 'parenthesized_expression':
    case 'await':
    case 'yield':
    case 'list_splat':
    case 'dictionary_splat':
      return expression(children(node)[0] ?? null)
    case 'keyword_argument':
      return expression(node!.field('value'))
    case 'named_expression':
      return {
        is: 'assigned',
        target: target(node!.field('name')),
        value: expression(node!.field('value')),
        adds: false,
        line: lineOf(node!)
      }
    case 'lambda':
      return {
        is: 'function',
        declared: {
          name: '',
          parameters: children(node!.field('parameters')).map((each) => ({
            target: { to: 'name', name: each.text() },
            path: '',
            isInput: false
          })),
          body: [{ does: 'return', value: expression(node!.field('body')), line: lineOf(node!) }],
          line: lineOf(node!)
        }
      }
    case 'list_comprehension':
    case 'generator_expression':
    case 'set_comprehension':
      return comprehension(node!)
    case 'unary_operator':
      return fixed
    default:
      return unknown()
  }
}

const keyText = (node: TreeNode | null): string | null => (kindOf(node) === 'string' ? literalOf(node) : null)

/** A condition: `a or b` asks whether, elsewhere it is one of two values. */
function test(node: TreeNode | null): Expression {
  switch (kindOf(node)) {
    case 'boolean_operator':
      return {
        is: 'test',
        of: [test(node!.field('left')), test(node!.field('right'))],
        how: textOf(node!.field('operator')) === 'and' ? 'and' : 'or'
      }
    case 'not_operator':
      return { is: 'not', of: test(node!.field('argument')) }
    case 'parenthesized_expression':
      return test(children(node)[0] ?? null)
    default:
      return expression(node)
  }
}

function string(node: TreeNode): Expression {
  const parts = node.children().flatMap((each): Expression[] => {
    if (kindOf(each) === 'string_content') return [{ is: 'text', text: each.text() }]
    return kindOf(each) === 'interpolation'
      ? [expression(each.field('expression') ?? children(each)[0] ?? null)]
      : []
  })
  if (parts.every((part) => part.is === 'text')) {
    return { is: 'text', text: parts.map((part) => part.text).join('') }
  }
  return { is: 'joined', parts, line: lineOf(node) }
}

function binary(node: TreeNode): Expression {
  const operator = textOf(node.field('operator'))
  if (operator === '+') {
    return { is: 'joined', parts: termsOf(node, 'binary_operator', expression), line: lineOf(node) }
  }
  const of = [expression(node.field('left')), expression(node.field('right'))]
  // `"…" % values` puts values into a text; `base / name` joins paths.
  if (
    operator === '%' &&
    /^(?:string|concatenated_string|identifier|parenthesized_expression|attribute)$/.test(
      kindOf(node.field('left'))
    )
  ) {
    return { is: 'joined', parts: of, line: lineOf(node) }
  }
  if (operator === '/') return { is: 'any', of }
  return { is: 'test', of, how: 'other' }
}

function compare(node: TreeNode): Expression {
  const parts = children(node)
  const operator = node
    .children()
    .filter((each) => !each.isNamed())
    .map(textOf)
    .join(' ')
  const of = parts.map(expression)
  if (operator === 'in' || operator === 'not in') {
    const found: Expression = {
      is: 'call',
      callee: { is: 'field', of: of[1] ?? fixed, key: 'includes' },
      args: of.slice(0, 1),
      line: lineOf(node)
    }
    return operator === 'in' ? found : { is: 'not', of: found }
  }
  return { is: 'test', of, how: comparison(operator) }
}

function comprehension(node: TreeNode): Expression {
  const clauses = children(node).filter((each) => kindOf(each) === 'for_in_clause')
  const bound = clauses.map(
    (each): Expression => ({
      is: 'assigned',
      target: target(each.field('left')),
      value: { is: 'field', of: expression(each.field('right')), key: fixed },
      adds: false,
      line: lineOf(each)
    })
  )
  const conditions = children(node)
    .filter((each) => kindOf(each) === 'if_clause')
    .map((each) => test(children(each)[0] ?? null))
  return {
    is: 'any',
    of: [
      { is: 'test', of: [...bound, ...conditions], how: 'other' },
      expression(node.field('body') ?? children(node)[0] ?? null)
    ]
  }
}

function call(node: TreeNode): Expression {
  const callee = node.field('function')
  const list = node.field('arguments')
  const all = kindOf(list) === 'generator_expression' ? [list!] : children(list)
  const args = all
    .filter((each) => !/^(?:keyword_argument|dictionary_splat)$/.test(kindOf(each)))
    .map(expression)
  const byName = Object.fromEntries(
    all
      .filter((each) => kindOf(each) === 'keyword_argument')
      .map((each) => [textOf(each.field('name')), expression(each.field('value'))])
  )
  const spread = all.find((each) => kindOf(each) === 'dictionary_splat')
  if (spread !== undefined) byName['**'] = expression(spread)
  return {
    is: 'call',
    callee: expression(callee),
    args,
    named: byName,
    line: lineOf(callee?.field('attribute') ?? node)
  }
}
