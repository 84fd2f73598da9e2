import { remember } from '../../../remember.js'
import { isString, kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import { treeOf, type Tree, type TreeNode } from '../../../tree/tree.js'
import {
  fixed,
  named,
  set,
  typePrefix,
  type Declared,
  type Expression,
  type Parameter,
  type Statement
} from '../../../flow/form.js'
import * as expressions from '../../../flow/lower/expressions.js'
import { createLowering } from '../../../flow/lower/lowering.js'
import * as statements from '../../../flow/lower/statements.js'
import { treeSyntax, type TreeLowering } from '../../../flow/lower/tree.js'
import { declareAll } from '../../../flow/values.js'

const { parts, lineOf } = treeSyntax

const condition = statements.branch<TreeNode>('condition', 'consequence', 'alternative')

const lowering = createLowering<TreeNode>({
  syntax: treeSyntax,
  blocks: 'source_file block statement_list',
  statements: {
    'statement_list import_declaration import_spec_list var_declaration const_declaration var_spec_list':
      statements.sequence,
    'expression_statement go_statement defer_statement': statements.sequence,
    import_spec: importOf,
    'var_spec const_spec': specOf,
    function_declaration: (node, lower) => [
      { does: 'declare', declared: functionOf(node, textOf(node.field('name')), lower) }
    ],
    method_declaration: (node, lower) => {
      const receiver = textOf(parts(parts(node, 'receiver')[0] ?? null)[0] ?? null)
      const own = `${receiver}.${textOf(node.field('name'))}`
      const of = pathOf(textOf(parts(node, 'receiver')[0]?.field('type') ?? null))
      const { body, ...declared } = functionOf(node, own, lower)
      const type = embeddedTypes(treeOf(node)).get(of) ?? of
      const known: Statement[] = receiver === '' || type === '' ? [] : [declaredAs(receiver, type, node)]
      return [{ does: 'declare', declared: { of, ...declared, body: [...known, ...body] } }]
    },
    'short_var_declaration assignment_statement': assignments,
    return_statement: statements.returns(),
    'break_statement continue_statement goto_statement': statements.jump,
    if_statement: (node, lower) => [...lower.body(node.field('initializer')), ...condition(node, lower)],
    for_statement: (node, lower) => [loopOf(node, lower)],
    'expression_switch_statement type_switch_statement select_statement': (node, lower) => [
      ...lower.body(node.field('initializer')),
      ...clauses(node, lower)
    ],
    block: statements.block(),
    labeled_statement: (node, lower) => lower.statements(parts(node).slice(1))
  },
  expressions: {
    'int_literal float_literal rune_literal imaginary_literal true false nil': expressions.number,
    'identifier package_identifier': expressions.name,
    selector_expression: expressions.member('operand', 'field'),
    index_expression: expressions.element('operand', 'index'),
    'slice_expression type_assertion_expression type_conversion_expression': expressions.inner('operand'),
    'parenthesized_expression variadic_argument literal_element expression_list': expressions.inner(),
    call_expression: callOf,
    binary_expression: expressions.binary,
    unary_expression: (node, lower) =>
      (lower.operatorOf(node) === '!' ? expressions.negated<TreeNode> : expressions.inner<TreeNode>)(
        'operand'
      )(node, lower),
    composite_literal: literal,
    literal_value: expressions.list(),
    func_literal: (node, lower) => ({ is: 'function', declared: functionOf(node, '', lower) })
  }
})

/** Brings Go into the form. */
export const lowerGo = (root: TreeNode): Statement[] => lowering.body(root)

const clauses = statements.cases<TreeNode>(
  'value',
  (node) => parts(node).filter((part) => /_case$/.test(kindOf(part))),
  (one, lower) => ({
    tests: kindOf(one) === 'default_case' ? null : lower.expressions(parts(one, 'value')),
    body: lower.statements(parts(one)),
    fallsThrough: false
  })
)

function loopOf(node: TreeNode, lower: TreeLowering): Statement {
  const clause = parts(node)[0] ?? null
  const body = lower.body(node.field('body'))
  if (kindOf(clause) !== 'range_clause') {
    return statements.maybe([...lower.body(clause?.field('initializer') ?? null), ...body])
  }
  const over = lower.expression(clause!.field('right'))
  return { does: 'loop', element: lower.target(parts(clause, 'left').at(-1) ?? null), over, body }
}

/** `import r "math/rand"`: r is `rand`, as the tables know it. */
function importOf(node: TreeNode): Statement[] {
  const path = literalOf(node.field('path')).replace(/\/v\d+$/, '')
  const alias = textOf(node.field('name'))
  if (alias === '' || alias === '_' || alias === '.') return []
  return [set({ to: 'name', name: alias }, named(path.split('/').at(-1)!), lineOf(node))]
}

function assignments(node: TreeNode, lower: TreeLowering): Statement[] {
  const isNew = kindOf(node) === 'short_var_declaration'
  const values = parts(node, 'right')
  const adds = lower.operatorOf(node) === '+='
  // `value, err := call()`: the first name holds what matters.
  return parts(node, 'left').map((part, index): Statement => {
    const value = lower.expression(values[index] ?? (index === 0 ? values[0] : undefined) ?? null)
    if (part.text() === '_') return { does: 'run', value }
    const target = lower.target(part)
    return { does: 'set', target: isNew ? declareAll(target) : target, value, adds, line: lineOf(node) }
  })
}

function specOf(node: TreeNode, lower: TreeLowering): Statement[] {
  const names = parts(node).filter((part) => kindOf(part) === 'identifier')
  const values = parts(node, 'value')
  return names.map((part, index) =>
    set(
      { to: 'name', name: part.text(), isNew: true },
      values[index] === undefined ? typed(textOf(node.field('type'))) : lower.expression(values[index]),
      lineOf(node)
    )
  )
}

/** A variable that is only declared is empty, and known by its type. */
const typed = (type: string): Expression =>
  /^(?:string|int\w*|float\w*|bool|byte|\[\]\w+|)$/.test(type)
    ? fixed
    : { is: 'call', callee: named(`${typePrefix}${pathOf(type)}`), args: [fixed], line: 0 }

/** `type Users struct { web.Controller }`: the methods of `Users` use those of the framework's type. */
const embeddedTypes = remember((tree: Tree): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const spec of tree.nodes('type_spec')) {
    const fields = parts(parts(spec.field('type'))[0] ?? null)
    const embedded = fields.find(
      (field) => kindOf(field) === 'field_declaration' && field.field('name') === null
    )
    if (embedded !== undefined) known.set(textOf(spec.field('name')), pathOf(textOf(embedded.field('type'))))
  }
  return known
})

const declaredAs = (name: string, type: string, node: TreeNode): Statement =>
  set({ to: 'name', name, isNew: true }, typed(type), lineOf(node))

const pathOf = (type: string): string => type.replace(/^[*&[\]]+/, '')

function functionOf(node: TreeNode, own: string, lower: TreeLowering): Declared {
  return {
    name: own,
    parameters: parts(node, 'parameters').flatMap((group): Parameter[] => {
      const type = pathOf(textOf(group.field('type')))
      const path = /^(?:int\w*|uint\w*|float\w*|bool|byte|rune|time\.\w+|uuid\.UUID)$/.test(type)
        ? 'number'
        : /^(?:string|interface\{\}|any|error)$/.test(type)
          ? ''
          : type
      return parts(group)
        .filter((part) => kindOf(part) === 'identifier')
        .map((part) => ({ target: { to: 'name', name: part.text() }, path, isInput: false }))
    }),
    body: lower.body(node.field('body')),
    line: lineOf(node)
  }
}

function literal(node: TreeNode, lower: TreeLowering): Expression {
  const elements = parts(node, 'body')
  if (elements.every((part) => kindOf(part) !== 'keyed_element')) {
    return { is: 'any', of: [fixed, ...lower.expressions(elements)] }
  }
  const type = textOf(node.field('type'))
  return {
    is: 'record',
    ...(type.includes('.') ? { type } : {}),
    entries: elements.map((part) => {
      const [key, value] = parts(part)
      const own = parts(key ?? null)[0] ?? null
      return [
        own === null ? null : isString(own) ? literalOf(own) : own.text(),
        lower.expression(value ?? null)
      ] as const
    })
  }
}

function callOf(node: TreeNode, lower: TreeLowering): Expression {
  const callee = node.field('function')
  const args = lower.expressions(parts(node, 'arguments'))
  // `string(x)`, `[]byte(x)`: the value itself.
  if (/^(?:string|\[\]byte|\[\]rune)$/.test(textOf(callee))) return args[0] ?? fixed
  // `new(http.Cookie)` is `&http.Cookie{}`.
  if (textOf(callee) === 'new') {
    return { is: 'record', type: textOf(parts(node, 'arguments')[0] ?? null), entries: [] }
  }
  // What is printed is one text.
  const printed: Expression[] = /^fmt\.Fprint(?:f|ln)?$/.test(textOf(callee))
    ? [args[0] ?? fixed, { is: 'joined', parts: args.slice(1), line: lineOf(node) }]
    : args
  return {
    is: 'call',
    callee: lower.expression(callee),
    args: printed,
    line: lineOf(callee?.field('field') ?? node)
  }
}
