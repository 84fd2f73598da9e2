import { kindOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  fixed,
  named,
  newPrefix,
  set,
  typePrefix,
  unknown,
  type Case,
  type Declared,
  type Expression,
  type Parameter,
  type Statement
} from '../../../flow/form.js'
import * as expressions from '../../../flow/lower/expressions.js'
import { createLowering } from '../../../flow/lower/lowering.js'
import * as statements from '../../../flow/lower/statements.js'
import { treeSyntax, type TreeLowering } from '../../../flow/lower/tree.js'

const { parts, lineOf } = treeSyntax

const field = expressions.member<TreeNode>('object', 'field')

const lowering = createLowering<TreeNode>({
  syntax: treeSyntax,
  blocks: 'program block constructor_body class_body interface_body enum_body',
  statements: {
    'class_declaration record_declaration enum_declaration interface_declaration': (node, lower) => [
      {
        does: 'block',
        body: statements.methodsOf(textOf(node.field('name')), lower.body(node.field('body')))
      }
    ],
    'method_declaration constructor_declaration': (node, lower) => [
      { does: 'declare', declared: functionOf(node, lower) }
    ],
    'field_declaration local_variable_declaration': declarations,
    'expression_statement yield_statement': statements.sequence,
    return_statement: statements.returns(),
    'break_statement continue_statement': statements.jump,
    throw_statement: statements.leave(),
    if_statement: statements.branch('condition', 'consequence', 'alternative'),
    enhanced_for_statement: statements.each('name', 'value', true),
    for_statement: (node, lower) => [
      statements.maybe([...lower.body(node.field('init')), ...lower.body(node.field('body'))])
    ],
    'while_statement do_statement': statements.repeat('condition'),
    'try_statement try_with_resources_statement': statements.attempt(
      /^catch_clause$/,
      /^finally_clause$/,
      (node, lower) => parts(node, 'resources').map((part) => declaration(part, part, fixed, lower))
    ),
    switch_expression: statements.cases('condition', (node) => parts(node, 'body'), caseOf),
    block: statements.block(),
    'synchronized_statement static_initializer': (node, lower) => [
      { does: 'block', body: lower.body(parts(node).at(-1) ?? null) }
    ],
    labeled_statement: (node, lower) => lower.statement(parts(node).at(-1)!)
  },
  expressions: {
    'decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal':
      expressions.number,
    'decimal_floating_point_literal hex_floating_point_literal': expressions.number,
    character_literal: (node) => ({ is: 'text', text: node.text().slice(1, -1) }),
    'true false null_literal class_literal': expressions.number,
    'identifier this': expressions.name,
    field_access: (node, lower) =>
      textOf(node.field('object')) === 'this' ? named(textOf(node.field('field'))) : field(node, lower),
    array_access: expressions.element('array'),
    method_invocation: invocation,
    object_creation_expression: creation,
    binary_expression: arithmetic,
    unary_expression: (node, lower) =>
      lower.operatorOf(node) === '!' ? expressions.negated<TreeNode>('operand')(node, lower) : fixed,
    assignment_expression: expressions.assigned,
    ternary_expression: expressions.choice('condition', 'consequence', 'alternative'),
    parenthesized_expression: expressions.inner(),
    cast_expression: (node, lower) =>
      typed(typeName(node.field('type')), lower.expression(node.field('value'))),
    array_creation_expression: expressions.inner('value'),
    array_initializer: expressions.list(),
    lambda_expression: lambda,
    method_reference: (node, lower) => ({
      is: 'field',
      of: lower.expression(parts(node)[0] ?? null),
      key: textOf(parts(node).at(-1) ?? null)
    }),
    switch_expression: (node, lower) =>
      unknown(
        ...parts(node, 'body')
          .flatMap((one) => parts(one).filter((part) => kindOf(part) === 'expression_statement'))
          .flatMap((part) => lower.expressions(parts(part)))
      ),
    instanceof_expression: expressions.harmless,
    update_expression: expressions.counted(0)
  }
})

/** Brings Java into the form. */
export const lowerJava = (root: TreeNode): Statement[] => lowering.body(root)

/** Integers are divided without a rest. */
function arithmetic(node: TreeNode, lower: TreeLowering): Expression {
  const made = expressions.binary(node, lower)
  return made.is === 'test' && made.op === '/' ? { ...made, op: '//' } : made
}

function caseOf(one: TreeNode, lower: TreeLowering): Case {
  const [labels, body] = [true, false].map((isLabel) =>
    parts(one).filter((part) => (kindOf(part) === 'switch_label') === isLabel)
  ) as [TreeNode[], TreeNode[]]
  const isDefault = labels.some((label) => label.text().startsWith('default'))
  return {
    tests: isDefault ? null : lower.expressions(labels.flatMap((label) => parts(label))),
    body: lower.statements(body),
    fallsThrough: kindOf(one) === 'switch_block_statement_group'
  }
}

function declarations(node: TreeNode, lower: TreeLowering): Statement[] {
  const empty = kindOf(node) === 'field_declaration' ? unknown() : fixed
  return parts(node)
    .filter((part) => kindOf(part) === 'variable_declarator')
    .map((part) => declaration(part, node, empty, lower))
}

/** @param owner the node with the type. */
function declaration(node: TreeNode, owner: TreeNode, empty: Expression, lower: TreeLowering): Statement {
  const value = node.field('value')
  return set(
    { to: 'name', name: textOf(node.field('name')), isNew: true },
    typed(typeName(owner.field('type')), value === null ? empty : lower.expression(value)),
    lineOf(node)
  )
}

const numbers =
  /^(?:int|long|short|byte|double|float|boolean|char|Integer|Long|Short|Double|Float|Boolean|BigDecimal|BigInteger|UUID|LocalDate|LocalDateTime|Instant|Duration|Date|Pageable)$/
/** Types whose name tells nothing that the tables ask for. */
const plain = /^(?:String|Object|var|List|Map|Set|Collection|Optional|CharSequence|T)?$/

/** A variable is known by its type: `Statement.executeQuery`. */
function typed(type: string, value: Expression): Expression {
  if (numbers.test(type)) {
    return value.is === 'fixed' || value.is === 'test'
      ? value
      : { is: 'test', of: [value], how: 'other', op: '=' }
  }
  return plain.test(type)
    ? value
    : { is: 'call', callee: named(`${typePrefix}${type}`), args: [value], line: 0 }
}

function typeName(node: TreeNode | null): string {
  const own = kindOf(node) === 'generic_type' ? (parts(node)[0] ?? null) : node
  return textOf(own).replace(/^.*\./, '').replace(/\[\]$/, '')
}

/** Annotations by which Spring and JAX-RS fill a parameter from a request. */
const filled =
  /@(?:PathVariable|RequestParam|RequestHeader|RequestBody|CookieValue|ModelAttribute|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|RequestPart|MatrixVariable)\b/

function modifiersOf(node: TreeNode): string {
  return textOf(parts(node).find((part) => kindOf(part) === 'modifiers') ?? null)
}

function functionOf(node: TreeNode, lower: TreeLowering): Declared {
  // Spring fills texts without an annotation by their name.
  const isHandler = /@(?:Get|Post|Put|Patch|Delete|Request)Mapping\b/.test(modifiersOf(node))
  return {
    name: textOf(node.field('name')),
    parameters: parts(node, 'parameters')
      .filter((part) => kindOf(part) !== 'receiver_parameter')
      .map((part): Parameter => {
        const type = typeName(part.field('type'))
        const modifiers = modifiersOf(part)
        const path = numbers.test(type) ? 'number' : plain.test(type) ? '' : type
        return {
          target: { to: 'name', name: textOf(part.field('name')) },
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
    body: lower.body(node.field('body')),
    line: lineOf(node),
    answers: isHandler ? 'text' : undefined
  }
}

const isAppend = (node: TreeNode | null): boolean =>
  kindOf(node) === 'method_invocation' && textOf(node!.field('name')) === 'append'

/** `sql.append(a).append(b)`: what the chain appends to, and everything that it appends. */
function appended(node: TreeNode, lower: TreeLowering): { to: TreeNode; texts: Expression[] } {
  const groups: Expression[][] = []
  let to = node
  while (isAppend(to) && to.field('object') !== null) {
    groups.push(lower.expressions(parts(to, 'arguments')))
    to = to.field('object')!
  }
  return { to, texts: groups.reverse().flat() }
}

function invocation(node: TreeNode, lower: TreeLowering): Expression {
  const object = node.field('object')
  const method = textOf(node.field('name'))
  if (method === 'append' && isAppend(object)) {
    const { to, texts } = appended(node, lower)
    const callee: Expression = { is: 'field', of: lower.expression(to), key: method }
    const line = lineOf(node)
    return { is: 'call', callee, args: [{ is: 'joined', parts: texts, line }], line }
  }
  const isOwn = object === null || textOf(object) === 'this'
  return {
    is: 'call',
    callee: isOwn ? named(method) : { is: 'field', of: lower.expression(object), key: method },
    args: parts(node, 'arguments').map((part) =>
      // Which element of a list is meant.
      /^(?:get|remove)$/.test(method) && kindOf(part) === 'decimal_integer_literal'
        ? { is: 'text', text: part.text() }
        : lower.expression(part)
    ),
    line: lineOf(node.field('name') ?? node)
  }
}

/** An object, and the methods of a class that is written with it. */
function creation(node: TreeNode, lower: TreeLowering): Expression {
  const body = parts(node).find((part) => kindOf(part) === 'class_body') ?? null
  const methods = lower
    .body(body)
    .flatMap((part) =>
      part.does === 'declare' ? [{ is: 'function', declared: part.declared } as const] : []
    )
  return {
    is: 'call',
    callee: named(`${newPrefix}${typeName(node.field('type'))}`),
    args: [...lower.expressions(parts(node, 'arguments')), ...methods],
    line: lineOf(node)
  }
}

function lambda(node: TreeNode, lower: TreeLowering): Expression {
  const given = node.field('parameters')
  const names =
    kindOf(given) === 'identifier'
      ? [given!.text()]
      : parts(given).map((part) => textOf(part.field('name') ?? part))
  const line = lineOf(node)
  return {
    is: 'function',
    declared: {
      name: '',
      parameters: names.map((own) => ({ target: { to: 'name', name: own }, path: '', isInput: false })),
      body: statements.returning(node.field('body'), 'block', line, lower),
      line
    }
  }
}
