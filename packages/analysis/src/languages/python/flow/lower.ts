import { kindOf, literalOf, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'
import {
  fixed,
  named,
  set,
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
import { routeOf } from './routes.js'

const { parts, lineOf } = treeSyntax

const lowering = createLowering<TreeNode>({
  // Literals hold values as well: they have a row.
  syntax: { ...treeSyntax, literalOf: () => null },
  blocks: 'module block',
  statements: {
    expression_statement: statements.sequence,
    function_definition: (node, lower) => [{ does: 'declare', declared: functionOf(node, [], lower) }],
    decorated_definition: decorated,
    class_definition: (node, lower) => [{ does: 'block', body: methodsOf(node, lower) }],
    return_statement: statements.returns(),
    'break_statement continue_statement': statements.jump,
    raise_statement: statements.leave(),
    if_statement: (node, lower) => [
      condition(
        node,
        node.children().filter((part) => /^(?:elif|else)_clause$/.test(kindOf(part))),
        lower
      )
    ],
    for_statement: statements.each('left', 'right'),
    while_statement: statements.repeat('condition'),
    try_statement: statements.attempt(/^(?:except|except_group)_clause$/, /^(?:else|finally)_clause$/),
    with_statement: (node, lower) => [
      ...parts(parts(node)[0] ?? null)
        .flatMap((item) => parts(item))
        .flatMap((item) => opened(item, lower)),
      ...lower.body(node.field('body'))
    ],
    'import_statement import_from_statement': importsOf,
    match_statement: statements.cases('subject', (node) => parts(node, 'body'), caseOf)
  },
  expressions: {
    'integer float true none': expressions.number,
    'ellipsis slice unary_operator': expressions.harmless,
    false: expressions.switchedOff,
    identifier: expressions.name,
    string,
    concatenated_string: (node, lower) => ({
      is: 'joined',
      parts: lower.expressions(parts(node)),
      line: lineOf(node)
    }),
    attribute: expressions.member('object', 'attribute'),
    subscript: expressions.element('value', 'subscript'),
    assignment,
    augmented_assignment: expressions.assigned,
    call,
    binary_operator: binary,
    boolean_operator: expressions.eitherOf,
    not_operator: (node, lower) => ({ is: 'not', of: lower.expression(node.field('argument')) }),
    comparison_operator: compare,
    conditional_expression: (node, lower) => {
      const [then, test, otherwise] = parts(node)
      return {
        is: 'choice',
        test: lower.test(test ?? null),
        then: lower.expression(then ?? null),
        otherwise: lower.expression(otherwise ?? null)
      }
    },
    'list tuple set expression_list': expressions.list(),
    dictionary: (node, lower) => ({
      is: 'record',
      entries: parts(node).map((part) =>
        kindOf(part) === 'pair'
          ? ([keyText(part.field('key')), lower.expression(part.field('value'))] as const)
          : ([null, unknown()] as const)
      )
    }),
    'parenthesized_expression await yield list_splat dictionary_splat': expressions.inner(),
    keyword_argument: expressions.inner('value'),
    named_expression: (node, lower) => ({
      is: 'assigned',
      target: lower.target(node.field('name')),
      value: lower.expression(node.field('value')),
      adds: false,
      line: lineOf(node)
    }),
    lambda: (node, lower) => ({
      is: 'function',
      declared: {
        name: '',
        parameters: parts(node, 'parameters').map((part) => ({
          target: { to: 'name', name: part.text() },
          path: '',
          isInput: false
        })),
        body: [{ does: 'return', value: lower.expression(node.field('body')), line: lineOf(node) }],
        line: lineOf(node)
      }
    }),
    'list_comprehension generator_expression set_comprehension': comprehension
  },
  targets: { 'pattern_list tuple_pattern list_pattern list_splat_pattern': expressions.partsOf },
  tests: {
    boolean_operator: expressions.bothOrOne('and'),
    not_operator: expressions.negated('argument'),
    parenthesized_expression: (node, lower) => lower.test(parts(node)[0] ?? null)
  }
})

/** Brings Python into the form. */
export const lowerPython = (root: TreeNode): Statement[] => lowering.body(root)

function decorated(node: TreeNode, lower: TreeLowering): Statement[] {
  const definition = node.field('definition')!
  if (kindOf(definition) !== 'function_definition') return lower.statement(definition)
  const decorators = parts(node).filter((part) => kindOf(part) === 'decorator')
  return [{ does: 'declare', declared: functionOf(definition, decorators, lower) }]
}

/** A name that is only declared is nothing yet, and one that is declared as a number can do no harm. */
function assignment(node: TreeNode, lower: TreeLowering): Expression {
  if (node.field('right') === null) return fixed
  const made = expressions.assigned(node, lower)
  const isNumber = /^(?:int|float|bool)$/.test(textOf(node.field('type')))
  return made.is === 'assigned' && isNumber ? { ...made, value: fixed } : made
}

function methodsOf(node: TreeNode, lower: TreeLowering): Statement[] {
  const of = textOf(node.field('name'))
  return lower
    .body(node.field('body'))
    .map((member) =>
      member.does === 'declare'
        ? { does: 'declare', declared: { of, ...member.declared, name: `self.${member.declared.name}` } }
        : member
    )
}

function condition(node: TreeNode, rest: readonly TreeNode[], lower: TreeLowering): Statement {
  const [next, ...others] = rest
  const otherwise =
    next === undefined
      ? []
      : kindOf(next) === 'else_clause'
        ? lower.body(next.field('body'))
        : [condition(next, others, lower)]
  return {
    does: 'if',
    test: lower.test(node.field('condition')),
    then: lower.body(node.field('consequence')),
    otherwise
  }
}

/** `with open(path) as file` */
function opened(node: TreeNode, lower: TreeLowering): Statement[] {
  if (kindOf(node) !== 'as_pattern') return [{ does: 'run', value: lower.expression(node) }]
  const [value, alias] = parts(node)
  return [set(lower.target(parts(alias ?? null)[0] ?? null), lower.expression(value ?? null), lineOf(node))]
}

/** `from os import system as run`: run is `os.system`. */
function importsOf(node: TreeNode): Statement[] {
  const module = textOf(node.field('module_name'))
  return parts(node)
    .filter((part) => part.text() !== module || kindOf(node) === 'import_statement')
    .map((part): Statement => {
      const isAliased = kindOf(part) === 'aliased_import'
      const imported = isAliased ? textOf(part.field('name')) : part.text()
      const own = isAliased ? textOf(part.field('alias')) : module === '' ? imported.split('.')[0]! : imported
      const path = module === '' ? (isAliased ? imported : own) : `${module}.${imported}`
      return set({ to: 'name', name: own }, named(path), lineOf(node))
    })
}

function functionOf(node: TreeNode, decorators: readonly TreeNode[], lower: TreeLowering): Declared {
  const route = routeOf(decorators)
  // AWS Lambda calls it with what a client sent.
  const isLambda = /^\(\s*_?event\b.*,\s*_?(?:context|ctx)\b/s.test(textOf(node.field('parameters')))
  return {
    name: textOf(node.field('name')),
    parameters: parts(node, 'parameters')
      .filter((part) => !/^(?:self|cls)$/.test(part.text()))
      .map((part): Parameter => {
        const own = textOf(
          part.field('name') ?? (kindOf(part) === 'identifier' ? part : (parts(part)[0] ?? null))
        )
        const type = textOf(part.field('type'))
        const isNumber =
          /^(?:int|float|bool|UUID|uuid\.UUID|date|datetime)\b/.test(type) || route.numbers.has(own)
        return {
          target: { to: 'name', name: own },
          path: isNumber ? 'number' : '',
          isInput:
            (!isNumber && route.isInput(own, type, textOf(part.field('value')))) ||
            (isLambda && /^_?event$/.test(own)),
          // What else starts the function, such as a queue, the code does not show.
          likely: isLambda ? 'all' : [],
          harmlessAs: route.isSegment(own) ? ['path'] : []
        }
      }),
    body: [...receivedBy(node), ...lower.body(node.field('body'))],
    line: lineOf(node),
    answers: route.isPage ? 'page' : undefined
  }
}

/** A handler of `http.server`, `do_GET` and its like, finds the request in its own fields. */
function receivedBy(node: TreeNode): Statement[] {
  if (!/^do_[A-Z]+$/.test(textOf(node.field('name')))) return []
  const line = lineOf(node)
  return Object.entries({ path: 'full_path', headers: 'headers', rfile: 'stream' }).map(([own, key]) =>
    set({ to: 'field', of: named('self'), key: own }, { is: 'field', of: named('request'), key }, line)
  )
}

const keyText = (node: TreeNode | null): string | null => (kindOf(node) === 'string' ? literalOf(node) : null)

function string(node: TreeNode, lower: TreeLowering): Expression {
  const pieces = node.children().flatMap((part): Expression[] => {
    if (kindOf(part) === 'string_content') return [{ is: 'text', text: part.text() }]
    return kindOf(part) === 'interpolation'
      ? [lower.expression(part.field('expression') ?? parts(part)[0] ?? null)]
      : []
  })
  if (pieces.every((piece) => piece.is === 'text')) {
    return { is: 'text', text: pieces.map((piece) => piece.text).join('') }
  }
  return { is: 'joined', parts: pieces, line: lineOf(node) }
}

function binary(node: TreeNode, lower: TreeLowering): Expression {
  const operator = textOf(node.field('operator'))
  if (operator === '+') return expressions.sum(node, lower)
  const of = [lower.expression(node.field('left')), lower.expression(node.field('right'))]
  // `"…" % values` puts values into a text; `base / name` joins paths.
  const isFormat =
    operator === '%' &&
    /^(?:string|concatenated_string|identifier|parenthesized_expression|attribute)$/.test(
      kindOf(node.field('left'))
    )
  if (isFormat) return { is: 'joined', parts: of, line: lineOf(node) }
  return operator === '/' ? { is: 'any', of } : { is: 'test', of, how: 'other', op: operator }
}

function compare(node: TreeNode, lower: TreeLowering): Expression {
  const operator = node
    .children()
    .filter((part) => !part.isNamed())
    .map(textOf)
    .join(' ')
  const of = lower.expressions(parts(node))
  if (operator === 'in' || operator === 'not in') {
    const found: Expression = {
      is: 'call',
      callee: { is: 'field', of: of[1] ?? fixed, key: 'includes' },
      args: of.slice(0, 1),
      line: lineOf(node)
    }
    return operator === 'in' ? found : { is: 'not', of: found }
  }
  return { is: 'test', of, how: expressions.comparison(operator), op: operator }
}

/** Only texts and numbers, or one of them, are constants; any other pattern may match. */
function caseOf(one: TreeNode, lower: TreeLowering): Case {
  const patterns = parts(one).filter((part) => kindOf(part) === 'case_pattern')
  const isDefault = patterns.some((part) => part.text() === '_') && one.field('guard') === null
  const values = patterns.flatMap((part) =>
    parts(part).flatMap((each) => (kindOf(each) === 'union_pattern' ? parts(each) : [each]))
  )
  return {
    tests: isDefault ? null : lower.expressions(values),
    body: lower.body(one.field('consequence')),
    fallsThrough: false
  }
}

function comprehension(node: TreeNode, lower: TreeLowering): Expression {
  const clauses = parts(node).filter((part) => kindOf(part) === 'for_in_clause')
  const bound = clauses.map(
    (part): Expression => ({
      is: 'assigned',
      target: lower.target(part.field('left')),
      value: { is: 'field', of: lower.expression(part.field('right')), key: fixed },
      adds: false,
      line: lineOf(part)
    })
  )
  const conditions = parts(node)
    .filter((part) => kindOf(part) === 'if_clause')
    .map((part) => lower.test(parts(part)[0] ?? null))
  return {
    is: 'any',
    of: [
      { is: 'test', of: [...bound, ...conditions], how: 'other' },
      lower.expression(node.field('body') ?? parts(node)[0] ?? null)
    ]
  }
}

function call(node: TreeNode, lower: TreeLowering): Expression {
  const callee = node.field('function')
  const given = node.field('arguments')
  const all = kindOf(given) === 'generator_expression' ? [given!] : parts(given)
  const args = all.map((part) => ({
    name: kindOf(part) === 'dictionary_splat' ? '**' : textOf(part.field('name')),
    isNamed: /^(?:keyword_argument|dictionary_splat)$/.test(kindOf(part)),
    value: lower.expression(part)
  }))
  return {
    is: 'call',
    callee: lower.expression(callee),
    args: args.filter(({ isNamed }) => !isNamed).map(({ value }) => value),
    named: Object.fromEntries(args.filter(({ isNamed }) => isNamed).map((each) => [each.name, each.value])),
    line: lineOf(callee?.field('attribute') ?? node)
  }
}
