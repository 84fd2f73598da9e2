import { isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  constant,
  fixed,
  named,
  unknown,
  type Declared,
  type Expression,
  type Parameter,
  type Statement,
  type Target
} from '../../../flow/form.js'
import { children, comparison, lineOf, termsOf } from '../../../flow/tree-nodes.js'
import { formatted } from './formats.js'

/** Brings Rust into the form. Paths are written with dots: `Command.new`. */
export function lowerRust(root: TreeNode): Statement[] {
  return children(root).flatMap((each) => statement(each))
}

/** The statements of a block; its last expression is its value. */
function statementsOf(block: TreeNode | null, givesValue = false): Statement[] {
  const nodes = children(block)
  return nodes.flatMap((each, index) => {
    const isValue =
      givesValue &&
      index === nodes.length - 1 &&
      !/^(?:expression_statement|let_declaration|\w+_item|macro_definition)$/.test(kindOf(each))
    return isValue && !isBranch(each)
      ? [{ does: 'return', value: expression(each), line: lineOf(each) } as const]
      : statement(each, givesValue && index === nodes.length - 1)
  })
}

const isBranch = (node: TreeNode): boolean =>
  /^(?:if|match|for|while|loop)_expression$|^block$|^unsafe_block$/.test(kindOf(node))

function statement(node: TreeNode, givesValue = false): Statement[] {
  switch (kindOf(node)) {
    case 'expression_statement':
      return children(node).flatMap((each) => statement(each))
    case 'let_declaration':
      return letOf(node)
    case 'const_item':
    case 'static_item':
      return [
        {
          does: 'set',
          target: { to: 'name', name: textOf(node.field('name')), isNew: true },
          value: expression(node.field('value')),
          adds: false,
          line: lineOf(node)
        }
      ]
    case 'function_item':
      return [{ does: 'declare', declared: functionOf(node, textOf(node.field('name'))) }]
    case 'impl_item':
    case 'trait_item':
      return [
        {
          does: 'block',
          body: children(node.field('body'))
            .filter((each) => kindOf(each) === 'function_item')
            .map(
              (each): Statement => ({
                does: 'declare',
                declared: functionOf(each, `self.${textOf(each.field('name'))}`)
              })
            )
        }
      ]
    case 'mod_item':
      return [{ does: 'block', body: statementsOf(node.field('body')) }]
    case 'return_expression':
      return [
        {
          does: 'return',
          value: children(node)[0] === undefined ? null : expression(children(node)[0]!),
          line: lineOf(node)
        }
      ]
    case 'break_expression':
    case 'continue_expression':
      return [{ does: 'jump' }]
    case 'if_expression':
      return [ifOf(node, givesValue)]
    case 'match_expression':
      return matchOf(node, givesValue)
    case 'for_expression':
      return [
        {
          does: 'loop',
          element: target(node.field('pattern')),
          over: expression(node.field('value')),
          body: statementsOf(node.field('body'))
        }
      ]
    case 'while_expression':
      return [
        {
          does: 'loop',
          element: null,
          over: expression(node.field('condition')),
          body: statementsOf(node.field('body'))
        }
      ]
    case 'loop_expression':
      return [{ does: 'loop', element: null, over: null, body: statementsOf(node.field('body')) }]
    case 'block':
      return [{ does: 'block', body: statementsOf(node, givesValue) }]
    case 'unsafe_block':
      return [{ does: 'block', body: statementsOf(children(node)[0] ?? null, givesValue) }]
    case 'assignment_expression':
    case 'compound_assignment_expr':
      return [
        {
          does: 'set',
          target: target(node.field('left')),
          value: expression(node.field('right')),
          adds: textOf(node.field('operator')) === '+=',
          line: lineOf(node)
        }
      ]
    default:
      return /_item$|^(?:use_declaration|attribute_item|inner_attribute_item|macro_definition|empty_statement)$/.test(
        kindOf(node)
      )
        ? []
        : [{ does: 'run', value: expression(node) }]
  }
}

function letOf(node: TreeNode): Statement[] {
  const value = node.field('value')
  const isNumber = /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|Uuid)$/.test(textOf(node.field('type')))
  const otherwise = node.field('alternative')
  return [
    {
      does: 'set',
      target: asNew(target(node.field('pattern'))),
      value: value === null || isNumber ? fixed : expression(value),
      adds: false,
      line: lineOf(node)
    },
    ...(otherwise === null
      ? []
      : [{ does: 'if', test: fixed, then: statementsOf(otherwise), otherwise: [] } as const])
  ]
}

function ifOf(node: TreeNode, givesValue: boolean): Statement {
  const condition = node.field('condition')
  const bound =
    kindOf(condition) === 'let_condition'
      ? [
          {
            does: 'set',
            target: asNew(target(condition!.field('pattern'))),
            value: expression(condition!.field('value')),
            adds: false,
            line: lineOf(node)
          } as const
        ]
      : []
  const otherwise = children(node.field('alternative'))[0] ?? null
  return {
    does: 'if',
    test: bound.length > 0 ? fixed : expression(condition),
    then: [...bound, ...statementsOf(node.field('consequence'), givesValue)],
    otherwise:
      otherwise === null
        ? []
        : kindOf(otherwise) === 'block'
          ? statementsOf(otherwise, givesValue)
          : statement(otherwise, givesValue)
  }
}

function matchOf(node: TreeNode, givesValue: boolean): Statement[] {
  const over = expression(node.field('value'))
  return children(node.field('body'))
    .filter((each) => kindOf(each) === 'match_arm')
    .map((arm): Statement => {
      const value = arm.field('value')
      const bound: Statement = {
        does: 'set',
        target: asNew(target(children(arm.field('pattern'))[0] ?? null)),
        value: over,
        adds: false,
        line: lineOf(arm)
      }
      const body =
        value === null
          ? []
          : isBranch(value) || !givesValue
            ? statement(value, givesValue)
            : [{ does: 'return', value: expression(value), line: lineOf(value) } as const]
      return { does: 'loop', element: null, over: null, body: [bound, ...body] }
    })
}

const extractors = /^(?:web::|axum::extract::|extract::)?(?:Path|Query|Json|Form|Multipart|TypedHeader)</
const numeric = /<\(?(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|Uuid|uuid::Uuid)[,)>]/

function functionOf(node: TreeNode, name: string): Declared {
  return {
    name,
    parameters: children(node.field('parameters'))
      .filter((each) => kindOf(each) === 'parameter')
      .map((each): Parameter => {
        const type = textOf(each.field('type'))
        const isNumber = numeric.test(`<${type}>`) || (extractors.test(type) && numeric.test(type))
        return {
          target: target(each.field('pattern')),
          path: isNumber ? 'number' : /HttpRequest|^Request<|Request$/.test(type) ? 'req' : '',
          isInput: !isNumber && extractors.test(type)
        }
      }),
    body: statementsOf(node.field('body'), true),
    line: lineOf(node)
  }
}

function asNew(made: Target): Target {
  return made.to === 'name' ? { ...made, isNew: true } : made
}

function target(node: TreeNode | null): Target {
  switch (kindOf(node)) {
    case 'identifier':
      return { to: 'name', name: node!.text() }
    case 'field_expression':
      return { to: 'field', of: expression(node!.field('value')), key: textOf(node!.field('field')) }
    case 'index_expression':
      return { to: 'field', of: expression(children(node)[0] ?? null), key: fixed }
    case 'mut_pattern':
    case 'ref_pattern':
    case 'reference_pattern':
      return target(children(node).at(-1) ?? null)
    case 'tuple_struct_pattern':
    case 'tuple_pattern': {
      const parts = children(node).slice(kindOf(node) === 'tuple_struct_pattern' ? 1 : 0)
      // `Some(x)`, `Ok(x)`, `Path(x)`: x is what is inside.
      return parts.length === 1
        ? target(parts[0]!)
        : { to: 'parts', parts: parts.map((each) => [null, target(each)] as const) }
    }
    default:
      return { to: 'parts', parts: [] }
  }
}

function expression(node: TreeNode | null): Expression {
  if (node === null) return fixed
  if (isString(node)) return { is: 'text', text: literalOf(node) }
  switch (kindOf(node)) {
    case 'identifier':
    case 'self':
      return named(node.text())
    case 'scoped_identifier':
      return dotted(node.text())
    case 'field_expression':
      return { is: 'field', of: expression(node.field('value')), key: textOf(node.field('field')) }
    case 'index_expression':
      return { is: 'field', of: expression(children(node)[0] ?? null), key: fixed }
    case 'reference_expression':
    case 'try_expression':
    case 'await_expression':
    case 'parenthesized_expression':
      return expression(children(node).at(-1) ?? null)
    case 'unary_expression':
      return node.text().startsWith('!')
        ? { is: 'not', of: expression(children(node)[0] ?? null) }
        : expression(children(node)[0] ?? null)
    case 'call_expression':
      return call(node)
    case 'macro_invocation':
      return macro(node)
    case 'binary_expression':
      return binary(node)
    case 'type_cast_expression':
      return fixed
    case 'struct_expression':
      return {
        is: 'record',
        entries: children(node.field('body')).map(
          (each) =>
            [
              textOf(each.field('field') ?? each),
              expression(each.field('value') ?? each.field('field') ?? children(each)[0] ?? null)
            ] as const
        )
      }
    case 'array_expression':
    case 'tuple_expression':
      return { is: 'any', of: [fixed, ...children(node).map(expression)] }
    case 'closure_expression':
      return closure(node)
    case 'if_expression':
      return {
        is: 'any',
        of: [node.field('consequence'), children(node.field('alternative'))[0] ?? null].map(valueOf)
      }
    case 'match_expression':
      return {
        is: 'any',
        of: [fixed, ...children(node.field('body')).map((arm) => valueOf(arm.field('value')))]
      }
    case 'block':
    case 'unsafe_block':
      return valueOf(node)
    default:
      return /_literal$/.test(kindOf(node)) ? constant(node.text()) : unknown()
  }
}

function valueOf(node: TreeNode | null): Expression {
  switch (kindOf(node)) {
    case 'unsafe_block':
      return valueOf(children(node)[0] ?? null)
    case 'block':
      return expression(children(node).at(-1) ?? null)
    default:
      return expression(node)
  }
}

/** `std::fs::read` as fields of a name. */
function dotted(text: string): Expression {
  const [first, ...rest] = text.replace(/::<[^>]*>/g, '').split('::')
  return rest.reduce((of: Expression, key): Expression => ({ is: 'field', of, key }), named(first!))
}

const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$|^cmd(?:\.exe)?$|^powershell/

function call(node: TreeNode): Expression {
  const callee = node.field('function')
  const args = children(node.field('arguments'))
  // A shell is another program than any other: what follows are its commands.
  if (
    /(?:^|::)Command::new$/.test(textOf(callee)) &&
    isString(args[0] ?? null) &&
    shells.test(literalOf(args[0]!))
  ) {
    return { is: 'call', callee: named('Shell.new'), args: [], line: lineOf(node) }
  }
  const plain = kindOf(callee) === 'generic_function' ? callee!.field('function') : callee
  return {
    is: 'call',
    callee: expression(plain),
    args: args.map(expression),
    line: lineOf(plain?.field('field') ?? node)
  }
}

function macro(node: TreeNode): Expression {
  const name = textOf(node.field('macro'))
  const tokens = textOf(children(node).find((each) => kindOf(each) === 'token_tree') ?? null)
  if (
    /^(?:format|println|print|eprintln|write|writeln|panic|concat|html|info|warn|error|debug)$/.test(name)
  ) {
    return { is: 'joined', parts: formatted(tokens.slice(1, -1)), line: lineOf(node) }
  }
  return name === 'vec' ? { is: 'any', of: [fixed, ...formatted(tokens.slice(1, -1))] } : unknown()
}

function closure(node: TreeNode): Expression {
  const body = node.field('body')
  const parameters = children(node.field('parameters')).map(
    (each): Parameter => ({
      target: target(each.field('pattern') ?? each),
      path: '',
      isInput: false
    })
  )
  return {
    is: 'function',
    declared: {
      name: '',
      parameters,
      body:
        kindOf(body) === 'block'
          ? statementsOf(body, true)
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
