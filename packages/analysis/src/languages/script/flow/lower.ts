import { calleeOf, keyOf } from '../names.js'
import { bare, child, children, functionTypes, isType, textOf, type ScriptNode } from '../nodes.js'
import { imported, importsOf, moduleName } from './imports.js'
import { keepsWordCharacters } from './kept-characters.js'
import { isCopyOf, isOwnMarkup, isOwnProgram } from './members.js'
import { handlerPaths, lambdaPaths, parameter, routeMethods } from './parameters.js'
import {
  constant,
  fixed,
  named,
  newPrefix,
  off,
  set,
  unknown,
  type Declared,
  type Expression,
  type Statement,
  type Target
} from '../../../flow/form.js'
import * as expressions from '../../../flow/lower/expressions.js'
import { createLowering, type Lowering } from '../../../flow/lower/lowering.js'
import * as statements from '../../../flow/lower/statements.js'
import { declareAll } from '../../../flow/values.js'

type ScriptLowering = Lowering<ScriptNode>

const lineOf = (node: ScriptNode): number => node.loc.start.line

const lowering = createLowering<ScriptNode>({
  syntax: {
    kindOf: (node) => node.type,
    lineOf,
    textOf: (node) => String(node?.name),
    operatorOf: (node) => String(node.operator),
    field: child,
    parts: (node, key = 'body') => children(node, key),
    literalOf: textOf,
    bare: (node) => bare(node)!
  },
  blocks: 'Program BlockStatement ClassBody',
  statements: {
    'ExpressionStatement TSExportAssignment': (node, lower) => lower.body(child(node, 'expression')),
    'ExportNamedDeclaration ExportDefaultDeclaration': (node, lower) =>
      lower.body(child(node, 'declaration')),
    VariableDeclaration: (node, lower) =>
      children(node, 'declarations').map((each) =>
        set(declareAll(lower.target(child(each, 'id'))), lower.expression(child(each, 'init')), lineOf(each))
      ),
    FunctionDeclaration: (node, lower) => [{ does: 'declare', declared: functionOf(node, lower) }],
    ClassDeclaration: classOf,
    ReturnStatement: statements.returns('argument'),
    ThrowStatement: statements.leave('argument'),
    'BreakStatement ContinueStatement': statements.jump,
    IfStatement: statements.branch('test', 'consequent', 'alternate'),
    'BlockStatement StaticBlock': statements.block(),
    'ForOfStatement ForInStatement': (node, lower) => [loopOver(node, lower)],
    ForStatement: (node, lower) => [
      ...lower.body(child(node, 'init')),
      {
        does: 'loop',
        element: null,
        over: lower.expression(child(node, 'test')),
        body: [...lower.body(child(node, 'body')), ...lower.body(child(node, 'update'))]
      }
    ],
    'WhileStatement DoWhileStatement': statements.repeat('test'),
    TryStatement: (node, lower) => {
      const handler = child(child(node, 'handler'), 'body')
      const handlers = handler === null ? [] : [lower.body(handler)]
      return [
        statements.tried(lower.body(child(node, 'block')), handlers),
        ...lower.body(child(node, 'finalizer'))
      ]
    },
    SwitchStatement: statements.cases(
      'discriminant',
      (node) => children(node, 'cases'),
      (one, lower) => {
        const test = child(one, 'test')
        return {
          tests: test === null ? null : [lower.expression(test)],
          body: lower.statements(children(one, 'consequent')),
          fallsThrough: true
        }
      }
    ),
    LabeledStatement: (node, lower) => lower.body(child(node, 'body')),
    ImportDeclaration: importsOf
  },
  expressions: {
    Literal: (node) => (node.value === false ? off : constant(String(node.value))),
    Identifier: (node, lower) => (node.name === 'undefined' ? fixed : expressions.name(node, lower)),
    ThisExpression: () => named('this'),
    // Node and the script itself: nobody chooses them by what they send.
    MemberExpression: (node, lower) =>
      isOwnMarkup(node) || isOwnProgram(node)
        ? fixed
        : { is: 'field', of: lower.expression(child(node, 'object')), key: keyIn(node, lower) },
    'CallExpression NewExpression': call,
    TemplateLiteral: (node, lower) => ({
      is: 'joined',
      parts: templateParts(node, lower),
      line: lineOf(node)
    }),
    // A tag decides what becomes of the values; those for SQL make parameters of them.
    TaggedTemplateExpression: (node, lower) =>
      unknown(...lower.expressions(children(child(node, 'quasi'), 'expressions'))),
    BinaryExpression: (node, lower) =>
      node.operator === 'in' ? isIn(node, lower) : expressions.binary(node, lower),
    LogicalExpression: expressions.eitherOf,
    ConditionalExpression: expressions.choice('test', 'consequent', 'alternate'),
    UnaryExpression: (node, lower) => {
      const of = lower.expression(child(node, 'argument'))
      return node.operator === '!' ? { is: 'not', of } : { is: 'test', of: [of], how: 'other' }
    },
    ClassExpression: expressions.harmless,
    UpdateExpression: expressions.counted('argument'),
    'AwaitExpression YieldExpression SpreadElement': expressions.inner('argument'),
    ImportExpression: imported,
    AssignmentExpression: (node, lower) => ({
      is: 'assigned',
      target: assignedTo(node, lower),
      value: lower.expression(child(node, 'right')),
      // What the page shows already is its own markup: what is added counts.
      adds: node.operator === '+=' && !isOwnMarkup(child(node, 'left')),
      line: lineOf(node)
    }),
    ArrayExpression: expressions.list('elements'),
    ObjectExpression: (node, lower) => ({
      is: 'record',
      entries: children(node, 'properties').map((each) =>
        isType(each, 'SpreadElement')
          ? ([null, lower.expression(each)] as const)
          : ([keyOf(each) === '' ? null : keyOf(each), lower.expression(child(each, 'value'))] as const)
      )
    }),
    SequenceExpression: (node, lower) => unknown(...lower.expressions(children(node, 'expressions'))),
    // Values in an element are escaped when it is rendered.
    'JSXElement JSXFragment': (node, lower) => ({ is: 'not', of: unknown(...markup(node, lower)) }),
    [functionTypes.join(' ')]: (node, lower) => ({ is: 'function', declared: functionOf(node, lower) })
  },
  targets: {
    MemberExpression: (node, lower) => ({
      to: 'field',
      of: lower.expression(child(node, 'object')),
      key: keyIn(node, lower)
    }),
    AssignmentPattern: (node, lower) => lower.target(child(node, 'left')),
    RestElement: (node, lower) => lower.target(child(node, 'argument')),
    ArrayPattern: (node, lower) => ({
      to: 'parts',
      parts: children(node, 'elements').map((each) => [null, lower.target(each)] as const)
    }),
    ObjectPattern: (node, lower) => ({
      to: 'parts',
      parts: children(node, 'properties').map((each) =>
        isType(each, 'RestElement')
          ? ([null, lower.target(each)] as const)
          : ([keyOf(each), lower.target(child(each, 'value'))] as const)
      )
    })
  },
  tests: {
    LogicalExpression: (node, lower) =>
      node.operator === '??' ? lower.expression(node) : expressions.bothOrOne<ScriptNode>('&&')(node, lower),
    UnaryExpression: (node, lower) =>
      node.operator === '!'
        ? expressions.negated<ScriptNode>('argument')(node, lower)
        : lower.expression(node)
  }
})

/** Brings JavaScript and TypeScript into the form. */
export const lowerScript = (program: ScriptNode): Statement[] => lowering.body(program)

function loopOver(node: ScriptNode, lower: ScriptLowering): Statement {
  const left = child(node, 'left')
  const declared = isType(left, 'VariableDeclaration') ? child(children(left, 'declarations')[0], 'id') : null
  return {
    does: 'loop',
    element: declared === null ? lower.target(left) : declareAll(lower.target(declared)),
    over: lower.expression(child(node, 'right')),
    body: lower.body(child(node, 'body'))
  }
}

/** Methods are known as fields of `this`. */
function classOf(node: ScriptNode, lower: ScriptLowering): Statement[] {
  const members = children(child(node, 'body'), 'body')
  const of = String(child(node, 'id')?.name ?? '')
  return [
    {
      does: 'block',
      body: statements.methodsOf(
        of,
        members.flatMap((member) => memberOf(member, lower))
      )
    }
  ]
}

function memberOf(member: ScriptNode, lower: ScriptLowering): Statement[] {
  if (isType(member, 'StaticBlock')) return lower.statement(member)
  const value = child(member, 'value')
  const key = keyOf(member)
  if (value === null) return []
  if (isType(value, ...functionTypes)) {
    return [{ does: 'declare', declared: { ...functionOf(value, lower), name: `this.${key}` } }]
  }
  return [set({ to: 'field', of: named('this'), key }, lower.expression(value), lineOf(member))]
}

function functionOf(node: ScriptNode, lower: ScriptLowering, paths = lambdaPaths(node)): Declared {
  const body = child(node, 'body')
  return {
    name: String(child(node, 'id')?.name ?? ''),
    parameters: children(node, 'params').map((each, index) => parameter(each, paths[index] ?? '', lower)),
    body: statements.returning(body, 'BlockStatement', body === null ? 1 : lineOf(body), lower),
    line: lineOf(node)
  }
}

function assignedTo(node: ScriptNode, lower: ScriptLowering): Target {
  const left = bare(child(node, 'left'))
  const made = lower.target(left)
  return made.to === 'field' &&
    isType(left, 'MemberExpression') &&
    left.computed === true &&
    isCopyOf(child(left, 'property'), child(node, 'right'))
    ? { ...made, isCopy: true }
    : made
}

function keyIn(node: ScriptNode, lower: ScriptLowering): string | Expression {
  const property = child(node, 'property')
  if (node.computed !== true) return String(property?.name)
  const literal = textOf(property)
  return literal ?? (isType(property, 'Literal') ? String(property.value) : lower.expression(property))
}

/** `x in list` asks about x. */
function isIn(node: ScriptNode, lower: ScriptLowering): Expression {
  const of = lower.expression(child(node, 'right'))
  const args = [lower.expression(child(node, 'left'))]
  return { is: 'call', callee: { is: 'field', of, key: 'has' }, args, line: lineOf(node) }
}

function templateParts(node: ScriptNode, lower: ScriptLowering): Expression[] {
  const values = children(node, 'expressions')
  return children(node, 'quasis').flatMap((quasi, index): Expression[] => {
    const { cooked, raw } = quasi.value as { cooked?: string | null; raw: string }
    const value = values[index]
    return [{ is: 'text', text: cooked ?? raw }, ...(value === undefined ? [] : [lower.expression(value)])]
  })
}

function call(node: ScriptNode, lower: ScriptLowering): Expression {
  const callee = bare(child(node, 'callee'))
  const path = calleeOf(node)
  const nodes = children(node, 'arguments')
  const required = path === 'require' && nodes.length === 1 ? textOf(nodes[0]) : null
  if (required !== null) return named(moduleName(required))
  // It does the same as the function that it is made of.
  if (/(?:^|\.)promisify$/.test(path) && nodes.length === 1) return lower.expression(nodes[0]!)
  // A call in a chain of several lines lies where its name stands.
  const line = lineOf(isType(callee, 'MemberExpression') ? child(callee, 'property')! : node)
  const handles = routeMethods.test(path)
  const args = nodes.map((each) =>
    handles && isType(each, ...functionTypes)
      ? { is: 'function' as const, declared: functionOf(each, lower, handlerPaths(each)) }
      : lower.expression(each)
  )
  const called = lower.expression(callee)
  if (keepsWordCharacters(node) && called.is === 'field') {
    return { is: 'call', callee: named('keepWordCharacters'), args: [called.of], line }
  }
  return {
    is: 'call',
    callee:
      isType(node, 'NewExpression') && called.is === 'name' ? named(`${newPrefix}${called.name}`) : called,
    args,
    line
  }
}

/** What goes into the attributes and children of markup. */
function markup(node: ScriptNode, lower: ScriptLowering): Expression[] {
  const attributes = children(child(node, 'openingElement'), 'attributes').flatMap((each): Expression[] => {
    const value = child(child(each, 'value'), 'expression')
    const name = String(child(each, 'name')?.name)
    if (value === null) return []
    const lowered = lower.expression(value)
    return [
      {
        is: 'call',
        callee: { is: 'field', of: named('jsx'), key: `${name}=` },
        args: [lowered],
        line: lineOf(each)
      }
    ]
  })
  const inside = children(node, 'children').flatMap((each): Expression[] =>
    isType(each, 'JSXExpressionContainer')
      ? [lower.expression(child(each, 'expression'))]
      : isType(each, 'JSXElement', 'JSXFragment')
        ? markup(each, lower)
        : []
  )
  return [...attributes, ...inside]
}
