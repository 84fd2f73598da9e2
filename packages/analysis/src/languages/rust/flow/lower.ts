import { isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  fixed,
  named,
  set,
  unknown,
  type Declared,
  type Expression,
  type Parameter,
  type Statement,
  type Target
} from '../../../flow/form.js'
import * as expressions from '../../../flow/lower/expressions.js'
import { createLowering, noTarget } from '../../../flow/lower/lowering.js'
import * as statements from '../../../flow/lower/statements.js'
import { treeSyntax, type TreeLowering } from '../../../flow/lower/tree.js'
import { declareAll } from '../../../flow/values.js'
import { formatted } from './formats.js'

const { parts, lineOf } = treeSyntax

const lowering = createLowering<TreeNode>({
  syntax: treeSyntax,
  blocks: 'source_file block declaration_list',
  statements: {
    expression_statement: statements.sequence,
    let_declaration: letOf,
    'const_item static_item': (node, lower) => [bound(node, 'name', lower)],
    function_item: (node, lower) => [
      { does: 'declare', declared: functionOf(node, textOf(node.field('name')), lower) }
    ],
    'impl_item trait_item': (node, lower) => [
      {
        does: 'block',
        body: parts(node, 'body')
          .filter((part) => kindOf(part) === 'function_item')
          .map((part) => ({
            does: 'declare',
            declared: functionOf(part, `self.${textOf(part.field('name'))}`, lower)
          }))
      }
    ],
    mod_item: statements.block('body'),
    return_expression: statements.returns(),
    'break_expression continue_expression': statements.jump,
    if_expression: (node, lower) => [ifOf(node, lower.body, lower)],
    match_expression: (node, lower) => matchOf(node, lower.body, lower),
    for_expression: statements.each('pattern', 'value'),
    while_expression: statements.repeat('condition'),
    loop_expression: (node, lower) => [statements.maybe(lower.body(node.field('body')))],
    block: statements.block(),
    unsafe_block: (node, lower) => lower.statement(parts(node)[0]!)
  },
  expressions: {
    'integer_literal float_literal boolean_literal char_literal': expressions.number,
    'identifier self': expressions.name,
    scoped_identifier: (node) => dotted(node.text()),
    field_expression: expressions.member('value', 'field'),
    index_expression: (node, lower) => ({
      is: 'field',
      of: lower.expression(parts(node)[0] ?? null),
      key: fixed
    }),
    'reference_expression try_expression await_expression parenthesized_expression': expressions.inner(-1),
    unary_expression: (node, lower) => {
      const of = lower.expression(parts(node)[0] ?? null)
      return node.text().startsWith('!') ? { is: 'not', of } : of
    },
    call_expression: call,
    macro_invocation: macro,
    binary_expression: expressions.binary,
    'assignment_expression compound_assignment_expr': expressions.assigned,
    type_cast_expression: expressions.harmless,
    struct_expression: (node, lower) => ({
      is: 'record',
      entries: parts(node, 'body').map(
        (part) =>
          [
            textOf(part.field('field') ?? part),
            lower.expression(part.field('value') ?? part.field('field') ?? parts(part)[0] ?? null)
          ] as const
      )
    }),
    'array_expression tuple_expression': expressions.list(),
    closure_expression: closure,
    if_expression: (node, lower) => {
      const condition = node.field('condition')
      const then = lower.expression(node.field('consequence'))
      const otherwise = lower.expression(parts(node, 'alternative')[0] ?? null)
      return kindOf(condition) === 'let_condition'
        ? { is: 'any', of: [then, otherwise] }
        : { is: 'choice', test: lower.test(condition), then, otherwise }
    },
    match_expression: (node, lower) => ({
      is: 'any',
      of: [fixed, ...lower.expressions(parts(node, 'body').flatMap((arm) => arm.field('value') ?? []))]
    }),
    // The last expression of a block is its value.
    block: expressions.inner(-1),
    unsafe_block: expressions.inner()
  },
  targets: {
    'mut_pattern ref_pattern reference_pattern': (node, lower) => lower.target(parts(node).at(-1) ?? null),
    tuple_struct_pattern: (node, lower) => within(parts(node).slice(1), lower),
    tuple_pattern: (node, lower) => within(parts(node), lower),
    'scoped_identifier self': () => noTarget
  }
})

/** Brings Rust into the form. Paths are written with dots: `Command.new`. */
export const lowerRust = (root: TreeNode): Statement[] => lowering.body(root)

/** How the statements of a branch are lowered: its value may be the one that the function returns. */
type Body = (node: TreeNode | null) => Statement[]

/** The statements of a block whose last expression is what the function returns. */
const returned =
  (lower: TreeLowering): Body =>
  (node) => {
    if (kindOf(node) !== 'block') return node === null ? [] : lastOf(node, lower)
    const nodes = parts(node)
    const last = nodes.at(-1)
    return [...lower.statements(nodes.slice(0, -1)), ...(last === undefined ? [] : lastOf(last, lower))]
  }

function lastOf(node: TreeNode, lower: TreeLowering): Statement[] {
  const body = returned(lower)
  switch (kindOf(node)) {
    case 'if_expression':
      return [ifOf(node, body, lower)]
    case 'match_expression':
      return matchOf(node, body, lower)
    case 'block':
      return [{ does: 'block', body: body(node) }]
    case 'unsafe_block':
      return lastOf(parts(node)[0]!, lower)
    default:
      return /^(?:for|while|loop)_expression$|^(?:expression_statement|let_declaration|\w+_item|macro_definition)$/.test(
        kindOf(node)
      )
        ? lower.statement(node)
        : [{ does: 'return', value: lower.expression(node), line: lineOf(node) }]
  }
}

/** A name or a pattern that is declared with a value. */
function bound(node: TreeNode, pattern: string, lower: TreeLowering): Statement {
  return set(
    declareAll(lower.target(node.field(pattern))),
    lower.expression(node.field('value')),
    lineOf(node)
  )
}

function letOf(node: TreeNode, lower: TreeLowering): Statement[] {
  const isNumber = /^(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|Uuid)$/.test(textOf(node.field('type')))
  const made = bound(node, 'pattern', lower)
  const otherwise = node.field('alternative')
  return [
    made.does === 'set' && isNumber ? { ...made, value: fixed } : made,
    ...(otherwise === null
      ? []
      : [{ does: 'if', test: fixed, then: lower.body(otherwise), otherwise: [] } as const])
  ]
}

function ifOf(node: TreeNode, body: Body, lower: TreeLowering): Statement {
  const condition = node.field('condition')
  const isLet = kindOf(condition) === 'let_condition'
  return {
    does: 'if',
    test: isLet ? fixed : lower.test(condition),
    then: [...(isLet ? [bound(condition!, 'pattern', lower)] : []), ...body(node.field('consequence'))],
    otherwise: body(parts(node, 'alternative')[0] ?? null)
  }
}

function matchOf(node: TreeNode, body: Body, lower: TreeLowering): Statement[] {
  const value = lower.expression(node.field('value'))
  return parts(node, 'body')
    .filter((part) => kindOf(part) === 'match_arm')
    .map((arm) => {
      const target = declareAll(lower.target(parts(arm, 'pattern')[0] ?? null))
      return statements.maybe([set(target, value, lineOf(arm)), ...body(arm.field('value'))])
    })
}

const extractors = /^(?:web::|axum::extract::|extract::)?(?:Path|Query|Json|Form|Multipart|TypedHeader)</
const numeric = /<\(?(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|Uuid|uuid::Uuid)[,)>]/

function functionOf(node: TreeNode, own: string, lower: TreeLowering): Declared {
  return {
    name: own,
    parameters: parts(node, 'parameters')
      .filter((part) => kindOf(part) === 'parameter')
      .map((part): Parameter => {
        const type = textOf(part.field('type'))
        const isNumber = numeric.test(`<${type}>`) || (extractors.test(type) && numeric.test(type))
        return {
          target: lower.target(part.field('pattern')),
          path: isNumber ? 'number' : /HttpRequest|^Request<|Request$/.test(type) ? 'req' : '',
          isInput: !isNumber && extractors.test(type)
        }
      }),
    body: returned(lower)(node.field('body')),
    line: lineOf(node)
  }
}

/** `Some(x)`, `Ok(x)`, `Path(x)`: x is what is inside. */
function within(patterns: readonly TreeNode[], lower: TreeLowering): Target {
  return patterns.length === 1
    ? lower.target(patterns[0]!)
    : { to: 'parts', parts: patterns.map((pattern) => [null, lower.target(pattern)] as const) }
}

/** `std::fs::read` as fields of a name. */
function dotted(text: string): Expression {
  const [first, ...rest] = text.replace(/::<[^>]*>/g, '').split('::')
  return rest.reduce((of: Expression, key): Expression => ({ is: 'field', of, key }), named(first!))
}

const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$|^cmd(?:\.exe)?$|^powershell/

function call(node: TreeNode, lower: TreeLowering): Expression {
  const callee = node.field('function')
  const args = parts(node, 'arguments')
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
    callee: lower.expression(plain),
    args: lower.expressions(args),
    line: lineOf(plain?.field('field') ?? node)
  }
}

function macro(node: TreeNode): Expression {
  const own = textOf(node.field('macro'))
  const tokens = textOf(parts(node).find((part) => kindOf(part) === 'token_tree') ?? null).slice(1, -1)
  if (/^(?:format|println|print|eprintln|write|writeln|panic|concat|html|info|warn|error|debug)$/.test(own)) {
    return { is: 'joined', parts: formatted(tokens), line: lineOf(node) }
  }
  return own === 'vec' ? { is: 'any', of: [fixed, ...formatted(tokens)] } : unknown()
}

function closure(node: TreeNode, lower: TreeLowering): Expression {
  const parameters = parts(node, 'parameters').map(
    (part): Parameter => ({ target: lower.target(part.field('pattern') ?? part), path: '', isInput: false })
  )
  const body = node.field('body')
  const line = lineOf(node)
  return {
    is: 'function',
    declared: {
      name: '',
      parameters,
      body:
        kindOf(body) === 'block'
          ? returned(lower)(body)
          : [{ does: 'return', value: lower.expression(body), line }],
      line
    }
  }
}
