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
import { fixedTest } from './constants.js'

/** Brings Java into the form. */
export function lowerJava(root: TreeNode): Statement[] {
  return children(root).flatMap(statement)
}

const statementsOf = (block: TreeNode | null): Statement[] => children(block).flatMap(statement)
const bodyOf = (node: TreeNode | null): Statement[] =>
  node === null ? [] : kindOf(node) === 'block' ? statementsOf(node) : statement(node)

function statement(node: TreeNode): Statement[] {
  switch (kindOf(node)) {
    case 'class_declaration':
    case 'record_declaration':
    case 'enum_declaration':
    case 'interface_declaration':
      return [{ does: 'block', body: statementsOf(node.field('body')) }]
    case 'method_declaration':
    case 'constructor_declaration':
      return [{ does: 'declare', declared: functionOf(node) }]
    case 'field_declaration':
      return declarations(node, true)
    case 'local_variable_declaration':
      return declarations(node, false)
    case 'expression_statement':
      return children(node).map((each): Statement => ({ does: 'run', value: expression(each) }))
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
    case 'throw_statement':
      return [{ does: 'leave', value: unknown(...children(node).map(expression)) }]
    case 'yield_statement':
      return children(node).map((each): Statement => ({ does: 'run', value: expression(each) }))
    case 'if_statement': {
      const always = fixedTest(node.field('condition'))
      if (always !== null) {
        return [{ does: 'block', body: bodyOf(node.field(always ? 'consequence' : 'alternative')) }]
      }
      return [
        {
          does: 'if',
          test: expression(node.field('condition')),
          then: bodyOf(node.field('consequence')),
          otherwise: bodyOf(node.field('alternative'))
        }
      ]
    }
    case 'enhanced_for_statement':
      return [
        {
          does: 'loop',
          element: { to: 'name', name: textOf(node.field('name')), isNew: true },
          over: expression(node.field('value')),
          body: bodyOf(node.field('body'))
        }
      ]
    case 'for_statement':
      return [
        {
          does: 'loop',
          element: null,
          over: null,
          body: [
            ...(node.field('init') === null ? [] : statement(node.field('init')!)),
            ...bodyOf(node.field('body'))
          ]
        }
      ]
    case 'while_statement':
    case 'do_statement':
      return [
        {
          does: 'loop',
          element: null,
          over: expression(node.field('condition')),
          body: bodyOf(node.field('body'))
        }
      ]
    case 'try_statement':
    case 'try_with_resources_statement':
      return triesOf(node)
    case 'switch_expression':
      return casesOf(node)
    case 'block':
    case 'synchronized_statement':
    case 'static_initializer':
      return [
        {
          does: 'block',
          body: statementsOf(kindOf(node) === 'block' ? node : (children(node).at(-1) ?? null))
        }
      ]
    case 'labeled_statement':
      return statement(children(node).at(-1)!)
    default:
      return []
  }
}

function declarations(node: TreeNode, isField: boolean): Statement[] {
  const type = typeName(node.field('type'))
  return children(node)
    .filter((each) => kindOf(each) === 'variable_declarator')
    .map((each): Statement => {
      const value = each.field('value')
      const name = textOf(each.field('name'))
      return {
        does: 'set',
        target: { to: 'name', name, isNew: true },
        value: typed(type, value === null ? (isField ? unknown() : fixed) : expression(value)),
        adds: false,
        line: lineOf(each)
      }
    })
}

const numbers =
  /^(?:int|long|short|byte|double|float|boolean|char|Integer|Long|Short|Double|Float|Boolean|BigDecimal|BigInteger|UUID|LocalDate|LocalDateTime|Instant|Duration|Date|Pageable)$/
/** Types whose name tells nothing that the tables ask for. */
const plain = /^(?:String|Object|var|List|Map|Set|Collection|Optional|CharSequence|T)?$/

/** A variable is known by its type: `Statement.executeQuery`. */
function typed(type: string, value: Expression): Expression {
  if (numbers.test(type)) {
    return value.is === 'call' || value.is === 'assigned' ? { is: 'test', of: [value], how: 'other' } : fixed
  }
  return plain.test(type)
    ? value
    : { is: 'call', callee: named(`${typePrefix}${type}`), args: [value], line: 0 }
}

function typeName(node: TreeNode | null): string {
  const name = kindOf(node) === 'generic_type' ? (children(node)[0] ?? null) : node
  return textOf(name).replace(/^.*\./, '').replace(/\[\]$/, '')
}

function triesOf(node: TreeNode): Statement[] {
  const resources = children(node.field('resources')).map(
    (each): Statement => ({
      does: 'set',
      target: { to: 'name', name: textOf(each.field('name')), isNew: true },
      value: typed(typeName(each.field('type')), expression(each.field('value'))),
      adds: false,
      line: lineOf(each)
    })
  )
  const handlers = children(node).filter((each) => kindOf(each) === 'catch_clause')
  const last = children(node).filter((each) => kindOf(each) === 'finally_clause')
  return [
    {
      does: 'if',
      test: fixed,
      then: [...resources, ...statementsOf(node.field('body'))],
      otherwise: handlers.map(
        (each): Statement => ({
          does: 'loop',
          element: null,
          over: null,
          body: statementsOf(each.field('body'))
        })
      )
    },
    ...last.flatMap((each) => statementsOf(children(each)[0] ?? null))
  ]
}

function casesOf(node: TreeNode): Statement[] {
  return children(node.field('body')).map(
    (each): Statement => ({
      does: 'loop',
      element: null,
      over: null,
      body: children(each)
        .filter((part) => kindOf(part) !== 'switch_label')
        .flatMap(statement)
    })
  )
}

/** Annotations by which Spring and JAX-RS fill a parameter from a request. */
const filled =
  /@(?:PathVariable|RequestParam|RequestHeader|RequestBody|CookieValue|ModelAttribute|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|RequestPart|MatrixVariable)\b/

function functionOf(node: TreeNode): Declared {
  const annotations = textOf(children(node).find((each) => kindOf(each) === 'modifiers') ?? null)
  // Spring fills texts without an annotation by their name.
  const isHandler = /@(?:Get|Post|Put|Patch|Delete|Request)Mapping\b/.test(annotations)
  return {
    name: textOf(node.field('name')),
    parameters: children(node.field('parameters'))
      .filter((each) => kindOf(each) !== 'receiver_parameter')
      .map((each): Parameter => {
        const type = typeName(each.field('type'))
        const modifiers = textOf(children(each).find((part) => kindOf(part) === 'modifiers') ?? null)
        const path = numbers.test(type) ? 'number' : plain.test(type) ? '' : type
        return {
          target: { to: 'name', name: textOf(each.field('name')) },
          path,
          isInput:
            path !== 'number' &&
            (filled.test(modifiers) ||
              (isHandler &&
                type === 'String' &&
                !/@(?:Value|SessionAttribute|RequestAttribute)\b/.test(modifiers))),
          // Servers refuse an encoded `/` in a segment of the path, unless they are set to take it.
          likely: /@Path(?:Variable|Param)\b/.test(modifiers) ? ['path'] : []
        }
      }),
    body: statementsOf(node.field('body')),
    line: lineOf(node),
    answers: isHandler ? 'text' : undefined
  }
}

function target(node: TreeNode | null): Target {
  switch (kindOf(node)) {
    case 'identifier':
      return { to: 'name', name: node!.text() }
    case 'field_access':
      return textOf(node!.field('object')) === 'this'
        ? { to: 'name', name: textOf(node!.field('field')) }
        : { to: 'field', of: expression(node!.field('object')), key: textOf(node!.field('field')) }
    case 'array_access':
      return { to: 'field', of: expression(node!.field('array')), key: fixed }
    default:
      return { to: 'parts', parts: [] }
  }
}

function expression(node: TreeNode | null): Expression {
  if (node === null) return fixed
  if (isString(node)) return { is: 'text', text: literalOf(node) }
  switch (kindOf(node)) {
    case 'identifier':
      return named(node.text())
    case 'this':
      return named('this')
    case 'field_access':
      return textOf(node.field('object')) === 'this'
        ? named(textOf(node.field('field')))
        : { is: 'field', of: expression(node.field('object')), key: textOf(node.field('field')) }
    case 'array_access':
      return { is: 'field', of: expression(node.field('array')), key: fixed }
    case 'method_invocation':
      return invocation(node)
    case 'object_creation_expression':
      return creation(node)
    case 'binary_expression':
      return binary(node)
    case 'unary_expression':
      return textOf(node.field('operator')) === '!'
        ? { is: 'not', of: expression(node.field('operand')) }
        : fixed
    case 'assignment_expression':
      return {
        is: 'assigned',
        target: target(node.field('left')),
        value: expression(node.field('right')),
        adds: textOf(node.field('operator')) === '+=',
        line: lineOf(node)
      }
    case 'ternary_expression': {
      const always = fixedTest(node.field('condition'))
      if (always !== null) return expression(node.field(always ? 'consequence' : 'alternative'))
      return {
        is: 'any',
        of: [
          { is: 'test', of: [expression(node.field('condition'))], how: 'other' },
          expression(node.field('consequence')),
          expression(node.field('alternative'))
        ]
      }
    }
    case 'parenthesized_expression':
      return expression(children(node)[0] ?? null)
    case 'cast_expression':
      return typed(typeName(node.field('type')), expression(node.field('value')))
    case 'array_creation_expression':
      return expression(node.field('value'))
    case 'array_initializer':
      return { is: 'any', of: [fixed, ...children(node).map(expression)] }
    case 'lambda_expression':
      return lambda(node)
    case 'switch_expression':
      return unknown(
        ...children(node.field('body'))
          .flatMap((each) => children(each).filter((part) => kindOf(part) === 'expression_statement'))
          .flatMap((each) => children(each).map(expression))
      )
    case 'instanceof_expression':
    case 'update_expression':
      return fixed
    default:
      return /_literal$|^(?:true|false|null)/.test(kindOf(node)) ? constant(node.text()) : unknown()
  }
}

/** `sql.append(a).append(b)`: what the chain appends to, and everything that it appends. */
function appended(node: TreeNode): { to: TreeNode; parts: Expression[] } {
  const groups: Expression[][] = []
  let to = node
  while (
    kindOf(to) === 'method_invocation' &&
    textOf(to.field('name')) === 'append' &&
    to.field('object') !== null
  ) {
    groups.push(children(to.field('arguments')).map(expression))
    to = to.field('object')!
  }
  return { to, parts: groups.reverse().flat() }
}

function invocation(node: TreeNode): Expression {
  const object = node.field('object')
  const name = textOf(node.field('name'))
  if (
    name === 'append' &&
    kindOf(object) === 'method_invocation' &&
    textOf(object!.field('name')) === 'append'
  ) {
    const { to, parts } = appended(node)
    const callee: Expression = { is: 'field', of: expression(to), key: name }
    return { is: 'call', callee, args: [{ is: 'joined', parts, line: lineOf(node) }], line: lineOf(node) }
  }
  const isOwn = object === null || textOf(object) === 'this'
  const callee: Expression = isOwn ? named(name) : { is: 'field', of: expression(object), key: name }
  return {
    is: 'call',
    callee,
    args: children(node.field('arguments')).map((each) =>
      // Which element of a list is meant.
      /^(?:get|remove)$/.test(name) && kindOf(each) === 'decimal_integer_literal'
        ? { is: 'text', text: each.text() }
        : expression(each)
    ),
    line: lineOf(node.field('name') ?? node)
  }
}

function creation(node: TreeNode): Expression {
  const body = children(node).find((each) => kindOf(each) === 'class_body') ?? null
  const inner: Expression[] =
    body === null
      ? []
      : statementsOf(body).flatMap((each) =>
          each.does === 'declare' ? [{ is: 'function', declared: each.declared } as const] : []
        )
  return {
    is: 'call',
    callee: named(`new:${typeName(node.field('type'))}`),
    args: [...children(node.field('arguments')).map(expression), ...inner],
    line: lineOf(node)
  }
}

function lambda(node: TreeNode): Expression {
  const parameters = node.field('parameters')
  const names =
    kindOf(parameters) === 'identifier'
      ? [parameters!.text()]
      : children(parameters).map((each) => textOf(each.field('name') ?? each))
  const body = node.field('body')
  return {
    is: 'function',
    declared: {
      name: '',
      parameters: names.map((name) => ({ target: { to: 'name', name }, path: '', isInput: false })),
      body:
        kindOf(body) === 'block'
          ? statementsOf(body)
          : [{ does: 'return', value: expression(body), line: lineOf(node) }],
      line: lineOf(node)
    }
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
