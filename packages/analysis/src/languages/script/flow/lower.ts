import {
  bare,
  calleeOf,
  child,
  children,
  functionTypes,
  isType,
  keyOf,
  textOf,
  type ScriptNode
} from '../nodes.js'
import { keepsWordCharacters } from './kept-characters.js'
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

/** Brings JavaScript and TypeScript into the form. */
export function lowerScript(program: ScriptNode): Statement[] {
  return statementsOf(children(program, 'body'))
}

const lineOf = (node: ScriptNode): number => node.loc.start.line

function statementsOf(nodes: readonly ScriptNode[]): Statement[] {
  return nodes.flatMap(statement)
}

const bodyOf = (node: ScriptNode | null): Statement[] => (node === null ? [] : statement(node))

function statement(node: ScriptNode): Statement[] {
  switch (node.type) {
    case 'ExpressionStatement':
      return [{ does: 'run', value: expression(child(node, 'expression')) }]
    case 'VariableDeclaration':
      return children(node, 'declarations').map(declaration)
    case 'FunctionDeclaration':
      return [{ does: 'declare', declared: functionOf(node) }]
    case 'ClassDeclaration':
      return classOf(node)
    case 'ReturnStatement':
      return [
        {
          does: 'return',
          value: child(node, 'argument') === null ? null : expression(child(node, 'argument')),
          line: lineOf(node)
        }
      ]
    case 'ThrowStatement':
      return [{ does: 'leave', value: expression(child(node, 'argument')) }]
    case 'BreakStatement':
    case 'ContinueStatement':
      return [{ does: 'jump' }]
    case 'IfStatement':
      return [
        {
          does: 'if',
          test: test(child(node, 'test')),
          then: bodyOf(child(node, 'consequent')),
          otherwise: bodyOf(child(node, 'alternate'))
        }
      ]
    case 'BlockStatement':
    case 'StaticBlock':
      return [{ does: 'block', body: statementsOf(children(node, 'body')) }]
    case 'ForOfStatement':
    case 'ForInStatement':
      return [loopOver(node)]
    case 'ForStatement':
      return [
        ...(isType(child(node, 'init'), 'VariableDeclaration') ? bodyOf(child(node, 'init')) : []),
        {
          does: 'loop',
          element: null,
          over: expression(child(node, 'test')),
          body: [...bodyOf(child(node, 'body')), { does: 'run', value: expression(child(node, 'update')) }]
        }
      ]
    case 'WhileStatement':
    case 'DoWhileStatement':
      return [
        {
          does: 'loop',
          element: null,
          over: expression(child(node, 'test')),
          body: bodyOf(child(node, 'body'))
        }
      ]
    case 'TryStatement':
      return [
        {
          does: 'if',
          test: fixed,
          then: bodyOf(child(node, 'block')),
          otherwise: bodyOf(child(child(node, 'handler'), 'body'))
        },
        ...bodyOf(child(node, 'finalizer'))
      ]
    case 'SwitchStatement':
      return [
        { does: 'run', value: expression(child(node, 'discriminant')) },
        ...children(node, 'cases').map(
          (each): Statement => ({
            does: 'loop',
            element: null,
            over: null,
            body: statementsOf(children(each, 'consequent'))
          })
        )
      ]
    case 'LabeledStatement':
      return bodyOf(child(node, 'body'))
    case 'ImportDeclaration':
      return importsOf(node)
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return exported(child(node, 'declaration'))
    case 'TSExportAssignment':
      return [{ does: 'run', value: expression(child(node, 'expression')) }]
    default:
      return []
  }
}

function exported(node: ScriptNode | null): Statement[] {
  if (node === null) return []
  return /Declaration$/.test(node.type) ? statement(node) : [{ does: 'run', value: expression(node) }]
}

function declaration(node: ScriptNode): Statement {
  const init = child(node, 'init')
  return {
    does: 'set',
    target: newTarget(child(node, 'id')),
    value: init === null ? fixed : expression(init),
    adds: false,
    line: lineOf(node)
  }
}

function loopOver(node: ScriptNode): Statement {
  const left = child(node, 'left')
  const element = isType(left, 'VariableDeclaration')
    ? newTarget(child(children(left, 'declarations')[0], 'id'))
    : target(left)
  return { does: 'loop', element, over: expression(child(node, 'right')), body: bodyOf(child(node, 'body')) }
}

/** `import { exec as run } from 'node:child_process'`: run is `child_process.exec`. */
function importsOf(node: ScriptNode): Statement[] {
  const source = textOf(child(node, 'source')) ?? ''
  const module = moduleName(source)
  // A text that is imported is a file of the project.
  const isText = /\.(?:svg|html|css|txt|sql)$/.test(source)
  return children(node, 'specifiers').map((each): Statement => {
    const name = String(child(each, 'local')?.name)
    const imported = isType(each, 'ImportSpecifier') ? child(each, 'imported') : null
    const value: Expression =
      imported === null
        ? isText
          ? fixed
          : named(module)
        : { is: 'field', of: named(module), key: textOf(imported) ?? String(imported.name) }
    return { does: 'set', target: { to: 'name', name, isNew: true }, value, adds: false, line: lineOf(node) }
  })
}

function moduleName(source: string): string {
  return source
    .replace(/^node:/, '')
    .replace(/^\.{0,2}\/.*\//, '')
    .replace(/\/promises$/, '')
    .replace(/[^\w/@-]/g, '')
}

/** Methods are known as fields of `this`. */
function classOf(node: ScriptNode): Statement[] {
  const members = children(child(node, 'body'), 'body')
  return [
    {
      does: 'block',
      body: members.flatMap((member): Statement[] => {
        const value = child(member, 'value')
        if (isType(member, 'StaticBlock')) return statement(member)
        if (isType(value, ...functionTypes)) {
          return [{ does: 'declare', declared: { ...functionOf(value), name: `this.${keyOf(member)}` } }]
        }
        return value === null
          ? []
          : [
              {
                does: 'set',
                target: { to: 'field', of: named('this'), key: keyOf(member) },
                value: expression(value),
                adds: false,
                line: lineOf(member)
              }
            ]
      })
    }
  ]
}

function functionOf(node: ScriptNode, paths: readonly string[] = []): Declared {
  const body = child(node, 'body')
  return {
    name: String(child(node, 'id')?.name ?? ''),
    parameters: children(node, 'params').map((each, index) => parameter(each, paths[index] ?? '')),
    body: isType(body, 'BlockStatement')
      ? statementsOf(children(body, 'body'))
      : [{ does: 'return', value: expression(body), line: body === null ? 1 : lineOf(body) }],
    line: lineOf(node)
  }
}

/** Decorators of Nest by which a parameter is filled from a request. */
const inputDecorators = /^(?:Query|Param|Body|Headers|RawBody|UploadedFile|UploadedFiles)$/

function parameter(node: ScriptNode, path: string): Parameter {
  const plain = isType(node, 'TSParameterProperty') ? child(node, 'parameter')! : node
  const declared = isType(plain, 'AssignmentPattern')
    ? child(plain, 'left')
    : isType(plain, 'RestElement')
      ? child(plain, 'argument')
      : plain
  const type = child(child(declared, 'typeAnnotation'), 'typeAnnotation')
  const typeName = String(
    child(type, 'typeName')?.name ?? child(child(type, 'typeName'), 'right')?.name ?? ''
  )
  const isInput = children(node, 'decorators').some((each) => {
    const decorator = child(each, 'expression')
    return inputDecorators.test(
      isType(decorator, 'CallExpression') ? calleeOf(decorator) : String(decorator?.name)
    )
  })
  const isNumber =
    isType(type, 'TSNumberKeyword', 'TSBooleanKeyword', 'TSBigIntKeyword') ||
    /^(?:number|Date)$/.test(typeName)
  const typed = /^(?:Next(?:Api)?|Fastify|Express|Incoming|Api)?(?:Http)?Request$|^IncomingMessage$/.test(
    typeName
  )
    ? 'req'
    : isNumber
      ? 'number'
      : ''
  return { target: newTarget(declared), path: typed === '' ? path : typed, isInput: isInput && !isNumber }
}

function newTarget(node: ScriptNode | null): Target {
  const made = target(node)
  return made.to === 'name' ? { ...made, isNew: true } : made.to === 'parts' ? markNew(made) : made
}

function markNew(made: Target): Target {
  if (made.to === 'name') return { ...made, isNew: true }
  return made.to === 'parts'
    ? { to: 'parts', parts: made.parts.map(([key, each]) => [key, markNew(each)] as const) }
    : made
}

function target(start: ScriptNode | null): Target {
  const node = bare(start)
  switch (node?.type) {
    case 'Identifier':
      return { to: 'name', name: String(node.name) }
    case 'MemberExpression':
      return { to: 'field', of: expression(child(node, 'object')), key: keyIn(node) }
    case 'AssignmentPattern':
      return target(child(node, 'left'))
    case 'RestElement':
      return target(child(node, 'argument'))
    case 'ArrayPattern':
      return { to: 'parts', parts: children(node, 'elements').map((each) => [null, target(each)] as const) }
    case 'ObjectPattern':
      return {
        to: 'parts',
        parts: children(node, 'properties').map((each) =>
          isType(each, 'RestElement')
            ? ([null, target(each)] as const)
            : ([keyOf(each), target(child(each, 'value'))] as const)
        )
      }
    default:
      return { to: 'parts', parts: [] }
  }
}

/** `element.innerHTML`. Only the last name is looked at: a chain is as long as somebody made it. */
function isOwnMarkup(node: ScriptNode | null): boolean {
  return (
    isType(node, 'MemberExpression') && /^(?:inner|outer)HTML$/.test(String(child(node, 'property')?.name))
  )
}

/** `process.argv[0]` and `process.argv[1]`. */
function isOwnProgram(node: ScriptNode): boolean {
  const index = child(node, 'property')?.value
  const list = child(node, 'object')
  return (
    (index === 0 || index === 1) &&
    isType(list, 'MemberExpression') &&
    child(list, 'property')?.name === 'argv' &&
    child(list, 'object')?.name === 'process'
  )
}

/** How deep the value of a copy may lie in a choice, a list or a call. */
const maxCopyDepth = 3

/** `copy[key] = source[key]`, also with a default or through a function. */
function isCopyOf(key: ScriptNode | null, start: ScriptNode | null, depth = maxCopyDepth): boolean {
  const value = bare(start)
  if (!isType(key, 'Identifier') || value === null || depth === 0) return false
  if (isType(value, 'MemberExpression')) {
    return value.computed === true && child(value, 'property')?.name === key.name
  }
  const parts = [
    child(value, 'left'),
    child(value, 'right'),
    child(value, 'consequent'),
    child(value, 'alternate'),
    ...children(value, 'arguments').slice(0, 2),
    ...children(value, 'elements').slice(0, 2)
  ]
  return parts.some((part) => isCopyOf(key, part, depth - 1))
}

function assigned(node: ScriptNode): Target {
  const left = bare(child(node, 'left'))
  const made = target(left)
  return made.to === 'field' &&
    isType(left, 'MemberExpression') &&
    left.computed === true &&
    isCopyOf(child(left, 'property'), child(node, 'right'))
    ? { ...made, isCopy: true }
    : made
}

function keyIn(node: ScriptNode): string | Expression {
  const property = child(node, 'property')
  if (node.computed !== true) return String(property?.name)
  const literal = textOf(property)
  return literal ?? (isType(property, 'Literal') ? String(property.value) : expression(property))
}

export function expression(start: ScriptNode | null): Expression {
  const node = bare(start)
  if (node === null) return fixed
  const text = textOf(node)
  if (text !== null) return { is: 'text', text }
  switch (node.type) {
    case 'Literal':
      return node.value === false ? off : constant(String(node.value))
    case 'Identifier':
      return node.name === 'undefined' ? fixed : named(String(node.name))
    case 'ThisExpression':
      return named('this')
    case 'MemberExpression':
      if (isOwnMarkup(node)) return fixed
      // Node and the script itself: nobody chooses them by what they send.
      if (isOwnProgram(node)) return fixed
      return { is: 'field', of: expression(child(node, 'object')), key: keyIn(node) }
    case 'CallExpression':
    case 'NewExpression':
      return call(node)
    case 'TemplateLiteral':
      return { is: 'joined', parts: templateParts(node), line: lineOf(node) }
    // A tag decides what becomes of the values; those for SQL make parameters of them.
    case 'TaggedTemplateExpression':
      return unknown(...children(child(node, 'quasi'), 'expressions').map(expression))
    case 'BinaryExpression':
      return binary(node)
    case 'LogicalExpression':
      return { is: 'any', of: [expression(child(node, 'left')), expression(child(node, 'right'))] }
    case 'ConditionalExpression':
      return conditional(node)
    case 'UnaryExpression':
      return node.operator === '!'
        ? { is: 'not', of: expression(child(node, 'argument')) }
        : { is: 'test', of: [expression(child(node, 'argument'))], how: 'other' }
    case 'UpdateExpression':
      return fixed
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'SpreadElement':
      return expression(child(node, 'argument'))
    case 'ImportExpression':
      return imported(node)
    case 'AssignmentExpression':
      return {
        is: 'assigned',
        target: assigned(node),
        value: expression(child(node, 'right')),
        // What the page shows already is its own markup: what is added counts.
        adds: node.operator === '+=' && !isOwnMarkup(child(node, 'left')),
        line: lineOf(node)
      }
    case 'ArrayExpression':
      return { is: 'any', of: [fixed, ...children(node, 'elements').map(expression)] }
    case 'ObjectExpression':
      return {
        is: 'record',
        entries: children(node, 'properties').map((each) =>
          isType(each, 'SpreadElement')
            ? ([null, expression(each)] as const)
            : ([keyOf(each) === '' ? null : keyOf(each), expression(child(each, 'value'))] as const)
        )
      }
    case 'SequenceExpression':
      return { is: 'unknown', of: children(node, 'expressions').map(expression) }
    case 'JSXElement':
    case 'JSXFragment':
      // Values in an element are escaped when it is rendered.
      return { is: 'not', of: unknown(...markup(node)) }
    case 'ClassExpression':
      return fixed
    default:
      return isType(node, ...functionTypes) ? { is: 'function', declared: functionOf(node) } : unknown()
  }
}

/** A condition: `a || b` asks whether, elsewhere it is one of two values. */
function test(start: ScriptNode | null): Expression {
  const node = bare(start)
  if (isType(node, 'LogicalExpression') && node.operator !== '??') {
    return {
      is: 'test',
      of: [test(child(node, 'left')), test(child(node, 'right'))],
      how: node.operator === '&&' ? 'and' : 'or'
    }
  }
  if (isType(node, 'UnaryExpression') && node.operator === '!') {
    return { is: 'not', of: test(child(node, 'argument')) }
  }
  return expression(node)
}

function conditional(node: ScriptNode): Expression {
  return {
    is: 'choice',
    test: test(child(node, 'test')),
    then: expression(child(node, 'consequent')),
    otherwise: expression(child(node, 'alternate'))
  }
}

function binary(node: ScriptNode): Expression {
  if (node.operator === '+') return { is: 'joined', parts: sumParts(node), line: lineOf(node) }
  const of = [expression(child(node, 'left')), expression(child(node, 'right'))]
  const operator = String(node.operator)
  // `x in list` asks about x; `index < 0` says that nothing was found.
  if (operator === 'in') {
    return { is: 'call', callee: { is: 'field', of: of[1]!, key: 'has' }, args: [of[0]!], line: lineOf(node) }
  }
  return {
    is: 'test',
    of,
    how: /^(?:===?|<)$/.test(operator) ? 'equals' : /^(?:!==?|>=?)$/.test(operator) ? 'differs' : 'other'
  }
}

/** Without recursion: sums of thousands of terms nest as deep. */
function sumParts(node: ScriptNode): Expression[] {
  const parts: Expression[] = []
  const stack: ScriptNode[] = [node]
  while (stack.length > 0) {
    const current = bare(stack.pop()!)!
    if (isType(current, 'BinaryExpression') && current.operator === '+') {
      stack.push(child(current, 'right')!, child(current, 'left')!)
    } else parts.push(expression(current))
  }
  return parts
}

function templateParts(node: ScriptNode): Expression[] {
  const values = children(node, 'expressions')
  return children(node, 'quasis').flatMap((quasi, index): Expression[] => {
    const { cooked, raw } = quasi.value as { cooked?: string | null; raw: string }
    const value = values[index]
    return [{ is: 'text', text: cooked ?? raw }, ...(value === undefined ? [] : [expression(value)])]
  })
}

const routeMethods =
  /(?:^|\.)(?:app|router|server|fastify|api|routes?|\w*Router|\w*App)(?:\.route\(\))?\.(?:get|post|put|patch|delete|all|use|head|options)$/

/** `await import('node:fs')` is the module, as `require` of it is. */
function imported(node: ScriptNode): Expression {
  const source = child(node, 'source')
  const fixedSource = textOf(source)
  return fixedSource === null
    ? { is: 'call', callee: named('import'), args: [expression(source)], line: lineOf(node) }
    : named(moduleName(fixedSource))
}

function call(node: ScriptNode): Expression {
  const callee = bare(child(node, 'callee'))
  const path = calleeOf(node)
  const nodes = children(node, 'arguments')
  const required = path === 'require' && nodes.length === 1 ? textOf(nodes[0]) : null
  if (required !== null) return named(moduleName(required))
  // It does the same as the function that it is made of.
  if (/(?:^|\.)promisify$/.test(path) && nodes.length === 1) return expression(nodes[0]!)
  // A call in a chain of several lines lies where its name stands.
  const line = lineOf(isType(callee, 'MemberExpression') ? child(callee, 'property')! : node)
  const handles = routeMethods.test(path)
  const args = nodes.map((each) =>
    handles && isType(each, ...functionTypes)
      ? { is: 'function' as const, declared: functionOf(each, handlerPaths(each)) }
      : expression(each)
  )
  const called = expression(callee)
  if (keepsWordCharacters(node) && called.is === 'field') {
    return { is: 'call', callee: named('keepWordCharacters'), args: [called.of], line }
  }
  return {
    is: 'call',
    callee: isType(node, 'NewExpression') && called.is === 'name' ? named(`new:${called.name}`) : called,
    args,
    line
  }
}

/** Handlers of errors take the error first. */
function handlerPaths(node: ScriptNode): string[] {
  return children(node, 'params').length === 4 ? ['', 'req', 'res'] : ['req', 'res']
}

/** What goes into the attributes and children of markup. */
function markup(node: ScriptNode): Expression[] {
  const attributes = children(child(node, 'openingElement'), 'attributes').flatMap((each): Expression[] => {
    const value = child(child(each, 'value'), 'expression')
    const name = String(child(each, 'name')?.name)
    if (value === null) return []
    const lowered = expression(value)
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
      ? [expression(child(each, 'expression'))]
      : isType(each, 'JSXElement', 'JSXFragment')
        ? markup(each)
        : []
  )
  return [...attributes, ...inside]
}
