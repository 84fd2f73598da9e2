import ts from 'typescript'
import {
  builtins,
  dateMethods,
  elementFirst,
  gives,
  keyedMethods,
  listMethods,
  numberMethods,
  promiseMethods,
  sharedMethods,
  textMethods
} from './method-tables.js'
import {
  createShape,
  elementOf,
  find,
  note,
  propOf,
  resultOf,
  unify,
  type Kind,
  type Shape
} from './shape.js'
import { createTypeReader } from './typed-shapes.js'

type Scope = Map<string, Shape>[]

export interface CodeShapes {
  /** Parameters of a function, in order. */
  paramsOf: (node: ts.SignatureDeclaration) => Shape[]
  /** Names that the code uses and nobody declares. */
  free: ReadonlyMap<string, Shape>
  /** What the code imports, by module. */
  modules: ReadonlyMap<string, Shape>
}

const arithmetic = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
  ts.SyntaxKind.MinusEqualsToken,
  ts.SyntaxKind.AsteriskEqualsToken,
  ts.SyntaxKind.SlashEqualsToken,
  ts.SyntaxKind.PercentEqualsToken
])
const orders = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken
])
const equalities = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken
])

/** Reads the code once and gathers what each value is used as. */
export function readShapes(source: ts.SourceFile): CodeShapes {
  const typeOf = createTypeReader(source)
  const params = new Map<ts.Node, Shape[]>()
  const free = new Map<string, Shape>()
  const modules = new Map<string, Shape>()
  const top: Scope = [new Map()]
  const classes: Shape[] = []

  function moduleOf(name: string): Shape {
    const known = modules.get(name) ?? createShape('object')
    modules.set(name, known)
    return known
  }

  function lookup(name: string, scope: Scope): Shape {
    for (let level = scope.length - 1; level >= 0; level--) {
      const found = scope[level]!.get(name)
      if (found !== undefined) return found
    }
    const known = free.get(name) ?? createShape()
    if (!builtins.has(name)) free.set(name, known)
    return known
  }

  function bind(name: ts.BindingName, shape: Shape, scope: Scope): void {
    if (ts.isIdentifier(name)) {
      scope.at(-1)!.set(name.text, shape)
      return
    }
    note(shape, ts.isArrayBindingPattern(name) ? 'array' : 'object')
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue
      const key = element.propertyName ?? element.name
      const part =
        element.dotDotDotToken !== undefined
          ? createShape()
          : ts.isArrayBindingPattern(name)
            ? elementOf(shape)
            : propOf(shape, ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : key.getText(source))
      if (element.initializer !== undefined) {
        find(part).isNullable = true
        weakly(part, read(element.initializer, scope))
      }
      bind(element.name, part, scope)
    }
  }

  /** The kind of a fallback is the kind of what it replaces. */
  function weakly(shape: Shape, other: Shape): void {
    if (find(shape).kinds.size === 0) note(shape, ...find(other).kinds)
  }

  /** Every function has its parameters before any of them is called. */
  function declare(node: ts.Node, scope: Scope): void {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
      scope.at(-1)!.set(node.name.text, functionShape(node))
    }
    if (ts.isClassDeclaration(node) && node.name !== undefined) {
      scope.at(-1)!.set(node.name.text, createShape('function'))
    }
    if (ts.isImportDeclaration(node)) {
      const from = moduleOf((node.moduleSpecifier as ts.StringLiteral).text)
      const clause = node.importClause
      if (clause?.name !== undefined) scope.at(-1)!.set(clause.name.text, propOf(from, 'default'))
      const bindings = clause?.namedBindings
      if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
        scope.at(-1)!.set(bindings.name.text, from)
      } else {
        for (const each of bindings?.elements ?? []) {
          scope.at(-1)!.set(each.name.text, propOf(from, (each.propertyName ?? each.name).text))
        }
      }
    }
  }

  function paramsOf(node: ts.SignatureDeclaration): Shape[] {
    const known = params.get(node)
    if (known !== undefined) return known
    const list = node.parameters.map((each) => {
      const shape = typeOf(each.type)
      if (each.questionToken !== undefined || each.initializer !== undefined) shape.isNullable = true
      return shape
    })
    params.set(node, list)
    return list
  }

  function functionShape(node: ts.SignatureDeclaration): Shape {
    const shape = createShape('function')
    shape.callback = null
    functions.set(shape, node)
    paramsOf(node)
    return shape
  }
  const functions = new Map<Shape, ts.SignatureDeclaration>()

  function body(node: ts.FunctionLikeDeclaration, scope: Scope): Shape {
    const inner: Scope = [...scope, new Map()]
    const list = paramsOf(node)
    const result = createShape()
    for (const [index, each] of node.parameters.entries()) {
      const shape = list[index]!
      if (each.initializer !== undefined) weakly(shape, read(each.initializer, inner))
      if (each.dotDotDotToken !== undefined) note(shape, 'array')
      bind(each.name, shape, inner)
    }
    if (node.body === undefined) return result
    if (ts.isBlock(node.body)) {
      results.push(result)
      statements(node.body.statements, inner)
      results.pop()
      return result
    }
    return read(node.body, inner)
  }
  const results: Shape[] = []

  function statements(list: readonly ts.Node[], scope: Scope): void {
    for (const each of list) declare(each, scope)
    for (const each of list) statement(each, scope)
  }

  function statement(node: ts.Node, scope: Scope): void {
    if (ts.isFunctionDeclaration(node)) body(node, scope)
    else if (ts.isClassLike(node)) classBody(node, scope)
    else if (ts.isBlock(node)) statements(node.statements, [...scope, new Map()])
    else if (ts.isVariableDeclaration(node)) declaration(node, scope)
    else if (ts.isForOfStatement(node)) {
      const list = read(node.expression, scope)
      note(list, 'array')
      const inner: Scope = [...scope, new Map()]
      if (ts.isVariableDeclarationList(node.initializer)) {
        bind(node.initializer.declarations[0]!.name, elementOf(list), inner)
      }
      statement(node.statement, inner)
    } else if (ts.isForInStatement(node)) {
      note(read(node.expression, scope), 'dict')
      const inner: Scope = [...scope, new Map()]
      if (ts.isVariableDeclarationList(node.initializer)) {
        bind(node.initializer.declarations[0]!.name, createShape('string'), inner)
      }
      statement(node.statement, inner)
    } else if (ts.isForStatement(node)) ts.forEachChild(node, (each) => statement(each, scope))
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
      tested(read(node.expression, scope))
      ts.forEachChild(node, (each) => {
        if (each !== node.expression) statement(each, scope)
      })
    } else if (ts.isReturnStatement(node)) {
      if (node.expression === undefined) return
      const shape = read(node.expression, scope)
      const result = results.at(-1)
      if (result !== undefined) weakly(result, shape)
    } else if (ts.isSwitchStatement(node)) {
      const value = read(node.expression, scope)
      for (const clause of node.caseBlock.clauses) {
        if (ts.isCaseClause(clause)) compare(value, clause.expression, scope)
        statements(clause.statements, scope)
      }
    } else if (ts.isCatchClause(node)) {
      const inner: Scope = [...scope, new Map()]
      if (node.variableDeclaration !== undefined) bind(node.variableDeclaration.name, createShape(), inner)
      statement(node.block, inner)
    } else if (ts.isExpression(node)) read(node, scope)
    else if (
      !ts.isTypeNode(node) &&
      !ts.isInterfaceDeclaration(node) &&
      !ts.isTypeAliasDeclaration(node) &&
      !ts.isImportDeclaration(node)
    ) {
      ts.forEachChild(node, (each) => statement(each, scope))
    }
  }

  function declaration(node: ts.VariableDeclaration, scope: Scope): void {
    const written = typeOf(node.type)
    const value = node.initializer === undefined ? createShape() : read(node.initializer, scope)
    if (written.isTyped) unify(written, value)
    bind(node.name, node.initializer === undefined ? written : value, scope)
  }

  function classBody(node: ts.ClassLikeDeclaration, scope: Scope): void {
    const self = createShape('object')
    classes.push(self)
    for (const member of node.members) {
      if (ts.isPropertyDeclaration(member)) {
        if (member.initializer !== undefined) {
          unify(propOf(self, member.name.getText(source)), read(member.initializer, scope))
        }
      } else if (
        ts.isMethodDeclaration(member) ||
        ts.isConstructorDeclaration(member) ||
        ts.isAccessor(member)
      ) {
        if (member.name !== undefined) propOf(self, member.name.getText(source)).kinds.add('function')
        body(member, scope)
        if (!ts.isConstructorDeclaration(member)) continue
        for (const [index, each] of member.parameters.entries()) {
          if (each.modifiers !== undefined && ts.isIdentifier(each.name)) {
            unify(propOf(self, each.name.text), paramsOf(member)[index]!)
          }
        }
      }
    }
    classes.pop()
  }

  function tested(shape: Shape): Shape {
    const own = find(shape)
    if (!own.isTyped && !own.kinds.has('boolean')) own.isNullable = true
    return shape
  }

  function literal(node: ts.Expression): string | number | boolean | undefined {
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isNumericLiteral(node)) return Number(node.text)
    if (
      ts.isPrefixUnaryExpression(node) &&
      node.operator === ts.SyntaxKind.MinusToken &&
      ts.isNumericLiteral(node.operand)
    ) {
      return -Number(node.operand.text)
    }
    return undefined
  }

  function isNothing(node: ts.Expression): boolean {
    return node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined')
  }

  function compare(shape: Shape, other: ts.Expression, scope: Scope): void {
    const value = literal(other)
    if (isNothing(other)) find(shape).isNullable ||= !find(shape).isTyped
    else if (value !== undefined) {
      note(shape, typeof value as Kind)
      find(shape).values.add(value)
    } else if (other.kind === ts.SyntaxKind.TrueKeyword || other.kind === ts.SyntaxKind.FalseKeyword) {
      note(shape, 'boolean')
    } else unify(shape, read(other, scope))
  }

  function equality(node: ts.BinaryExpression, scope: Scope): void {
    const { left, right } = node
    const [kind, asked] = ts.isTypeOfExpression(left)
      ? [literal(right), left]
      : ts.isTypeOfExpression(right)
        ? [literal(left), right]
        : []
    if (asked !== undefined) {
      const shape = read(asked.expression, scope)
      if (kind === 'undefined') find(shape).isNullable ||= !find(shape).isTyped
      else if (
        kind === 'string' ||
        kind === 'number' ||
        kind === 'boolean' ||
        kind === 'object' ||
        kind === 'function'
      ) {
        note(shape, kind)
      }
      // Asked for its type, it may be of another one.
      if (!find(shape).isTyped) note(shape, 'string', 'number')
      return
    }
    if (literal(left) !== undefined || isNothing(left)) compare(read(right, scope), left, scope)
    else compare(read(left, scope), right, scope)
  }

  function binary(node: ts.BinaryExpression, scope: Scope): Shape {
    const operator = node.operatorToken.kind
    if (equalities.has(operator)) {
      equality(node, scope)
      return createShape('boolean')
    }
    const left = read(node.left, scope)
    const right = read(node.right, scope)
    const [leftValue, rightValue] = [literal(node.left), literal(node.right)]
    if (arithmetic.has(operator)) {
      for (const each of [left, right]) note(each, 'number')
      return createShape('number')
    }
    if (orders.has(operator)) {
      if (typeof rightValue === 'number') find(left).values.add(rightValue)
      if (typeof leftValue === 'number') find(right).values.add(leftValue)
      const isText = typeof (rightValue ?? leftValue) === 'string'
      for (const each of [left, right]) {
        if (!find(each).kinds.has('date') && !find(each).kinds.has('string')) {
          note(each, isText ? 'string' : 'number')
        }
      }
      return createShape('boolean')
    }
    switch (operator) {
      case ts.SyntaxKind.PlusToken:
      case ts.SyntaxKind.PlusEqualsToken:
        return plus(left, right)
      case ts.SyntaxKind.AmpersandAmpersandToken:
        tested(left)
        return right
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken: {
        tested(left)
        const fallback = find(right)
        if (!fallback.kinds.has('boolean')) weakly(left, right)
        return left
      }
      case ts.SyntaxKind.InKeyword:
        note(right, 'dict')
        note(left, 'string')
        return createShape('boolean')
      case ts.SyntaxKind.InstanceOfKeyword: {
        const name = node.right.getText(source)
        const kind = (
          {
            Date: 'date',
            Error: 'error',
            Map: 'map',
            Set: 'set',
            RegExp: 'regexp',
            Array: 'array'
          } as Record<string, Kind>
        )[name]
        if (kind !== undefined) note(left, kind)
        return createShape('boolean')
      }
      case ts.SyntaxKind.EqualsToken:
        weakly(left, right)
        if (
          ts.isPropertyAccessExpression(node.left) &&
          node.left.expression.kind === ts.SyntaxKind.ThisKeyword
        ) {
          unify(left, right)
        }
        return right
      default:
        return right
    }
  }

  function plus(left: Shape, right: Shape): Shape {
    for (const [one, other] of [
      [left, right],
      [right, left]
    ] as const) {
      if (find(one).kinds.has('string')) {
        if (find(other).kinds.size === 0) note(other, 'string', 'number')
        return createShape('string')
      }
    }
    for (const [one, other] of [
      [left, right],
      [right, left]
    ] as const) {
      if (find(one).kinds.has('number') && find(other).kinds.size === 0) note(other, 'number')
    }
    return createShape(...find(left).kinds)
  }

  function args(node: ts.CallExpression | ts.NewExpression, scope: Scope): Shape[] {
    return (node.arguments ?? []).map((each) =>
      read(ts.isSpreadElement(each) ? each.expression : each, scope)
    )
  }

  /** The parameters of a function that is written where it is passed. */
  function inlineParams(node: ts.Expression | undefined): Shape[] | null {
    return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
      ? paramsOf(node)
      : null
  }

  function call(node: ts.CallExpression, scope: Scope): Shape {
    const callee = ts.skipPartiallyEmittedExpressions(node.expression)
    const [first] = node.arguments
    if (
      ts.isIdentifier(callee) &&
      callee.text === 'require' &&
      first !== undefined &&
      ts.isStringLiteral(first)
    ) {
      return moduleOf(first.text)
    }
    if (
      ts.isIdentifier(callee) &&
      builtins.has(callee.text) &&
      lookup(callee.text, scope) !== scope[0]?.get(callee.text)
    ) {
      return conversion(callee.text, args(node, scope))
    }
    if (ts.isPropertyAccessExpression(callee)) {
      const {
        expression: object,
        name: { text: method }
      } = callee
      if (
        ts.isIdentifier(object) &&
        builtins.has(object.text) &&
        !scope.some((level) => level.has(object.text))
      ) {
        return ofBuiltin(object.text, method, node, scope)
      }
      const target = read(object, scope)
      if (callee.questionDotToken !== undefined) find(target).isNullable ||= !find(target).isTyped
      return methodCall(target, method, node, scope)
    }
    const shape = read(callee, scope)
    note(shape, 'function')
    const local = functions.get(find(shape))
    if (local !== undefined) {
      for (const [index, each] of args(node, scope).entries()) {
        const param = paramsOf(local)[index]
        if (
          param !== undefined &&
          node.arguments[index] !== undefined &&
          literal(node.arguments[index]) === undefined
        ) {
          unify(param, each)
        }
      }
      return createShape(...find(resultOf(shape)).kinds)
    }
    args(node, scope)
    find(shape).callback ??= node.arguments.map(inlineParams).find((each) => each !== null) ?? null
    return resultOf(shape)
  }

  function conversion(name: string, list: Shape[]): Shape {
    const [first] = list
    if (first === undefined) return createShape()
    switch (name) {
      case 'Number':
      case 'parseInt':
      case 'parseFloat':
        note(first, 'string', 'number')
        return createShape('number')
      case 'isNaN':
      case 'isFinite':
        note(first, 'number', 'nan')
        return createShape('boolean')
      case 'String':
      case 'encodeURIComponent':
      case 'decodeURIComponent':
      case 'encodeURI':
        note(first, 'string')
        return createShape('string')
      case 'setTimeout':
      case 'setInterval':
        if (list[1] !== undefined) note(list[1], 'number')
        note(first, 'function')
        return createShape()
      case 'BigInt':
        note(first, 'number')
        return createShape('bigint')
      default:
        return createShape()
    }
  }

  function ofBuiltin(object: string, method: string, node: ts.CallExpression, scope: Scope): Shape {
    const list = args(node, scope)
    const [first] = list
    if (first === undefined) {
      return createShape(...(object === 'Math' || object === 'Date' ? ['number' as const] : []))
    }
    switch (`${object}.${method}`) {
      case 'Object.keys':
      case 'Object.values':
      case 'Object.entries': {
        if (find(first).props.size === 0) note(first, 'dict')
        const result = createShape('array')
        result.element =
          method === 'keys'
            ? createShape('string')
            : method === 'values'
              ? elementOf(first)
              : createShape('array')
        return result
      }
      case 'Object.assign':
        for (const each of list) note(each, 'object')
        return first
      case 'Array.isArray':
      case 'Array.from':
        note(first, 'array')
        return first
      case 'Number.isNaN':
      case 'Number.isFinite':
      case 'Number.isInteger':
      case 'Number.isSafeInteger':
        note(first, 'number', 'nan')
        return createShape('boolean')
      case 'Number.parseInt':
      case 'Number.parseFloat':
        return conversion('Number', list)
      case 'JSON.parse':
        note(first, 'json')
        return createShape()
      case 'Promise.all':
      case 'Promise.allSettled':
      case 'Promise.race':
      case 'Promise.any': {
        note(first, 'array')
        find(elementOf(first)).isAwaited = true
        return first
      }
      case 'Date.parse':
        note(first, 'string')
        return createShape('number')
      default:
        if (object === 'Math') for (const each of list) note(each, 'number')
        return object === 'Math' ? createShape('number') : createShape()
    }
  }

  function methodCall(target: Shape, method: string, node: ts.CallExpression, scope: Scope): Shape {
    const own = find(target)
    const [first, second] = node.arguments
    if (own.props.has(method) && own.isTyped) {
      args(node, scope)
      return resultOf(propOf(target, method))
    }
    if (promiseMethods.has(method)) {
      own.isAwaited = true
      const given = inlineParams(first)?.[0]
      if (given !== undefined && method === 'then') unify(target, given)
      args(node, scope)
      const rest = createShape()
      rest.isAwaited = true
      return rest
    }
    const isList = listMethods.has(method)
    if (isList || (own.kinds.has('array') && sharedMethods.has(method))) {
      return listCall(target, method, node, scope)
    }
    const isText = textMethods.has(method)
    if (isText || numberMethods.has(method) || dateMethods.has(method)) {
      note(target, isText ? 'string' : numberMethods.has(method) ? 'number' : 'date')
      args(node, scope)
      return method === 'split'
        ? listOf(createShape('string'))
        : createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
    }
    if (sharedMethods.has(method)) {
      const given = first === undefined ? undefined : read(first, scope)
      if (own.kinds.size === 0) {
        note(
          target,
          typeof (first === undefined ? undefined : literal(first)) === 'string' ? 'string' : 'array'
        )
      }
      if (
        find(target).kinds.has('array') &&
        given !== undefined &&
        /^(?:includes|indexOf|lastIndexOf)$/.test(method)
      ) {
        unify(elementOf(target), given)
      }
      return method === 'slice' || method === 'concat'
        ? target
        : createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
    }
    if (
      keyedMethods.has(method) &&
      node.arguments.length <= 2 &&
      (own.kinds.has('map') || own.kinds.has('set'))
    ) {
      args(node, scope)
      return method === 'get' ? elementOf(target) : createShape()
    }
    note(target, 'object')
    const shape = propOf(target, method)
    note(shape, 'function')
    args(node, scope)
    find(shape).callback ??=
      inlineParams(second) ?? inlineParams(first) ?? inlineParams(node.arguments.at(-1))
    return resultOf(shape)
  }

  function listOf(element: Shape): Shape {
    const shape = createShape('array')
    shape.element = element
    return shape
  }

  function listCall(target: Shape, method: string, node: ts.CallExpression, scope: Scope): Shape {
    note(target, 'array')
    const [first, second] = node.arguments
    const given = inlineParams(first)
    if (elementFirst.has(method)) {
      for (const [index, each] of (given ?? []).entries()) {
        if (index === 0 || /ort/.test(method)) unify(elementOf(target), each)
      }
    }
    if (/^reduce/.test(method) && given !== null) {
      if (given[1] !== undefined) unify(elementOf(target), given[1])
      const start = second === undefined ? elementOf(target) : read(second, scope)
      if (given[0] !== undefined) unify(given[0], start)
    }
    const list = args(node, scope)
    if (/^(?:push|unshift)$/.test(method)) for (const each of list) weakly(elementOf(target), each)
    if (/^(?:includes|indexOf|lastIndexOf)$/.test(method) && list[0] !== undefined && first !== undefined) {
      if (literal(first) === undefined) unify(elementOf(target), list[0])
      else compare(elementOf(target), first, scope)
    }
    if (/^(?:find|findLast|pop|shift|at)$/.test(method)) return elementOf(target)
    if (/^(?:filter|slice|sort|reverse|concat|toSorted|toReversed|fill|splice)$/.test(method)) return target
    if (method === 'map' || method === 'flatMap') {
      return listOf(
        first !== undefined &&
          (ts.isArrowFunction(first) || ts.isFunctionExpression(first)) &&
          !ts.isBlock(first.body)
          ? createShape(...(find(list[0] ?? createShape()).result?.kinds ?? []))
          : createShape()
      )
    }
    return createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
  }

  function property(target: Shape, name: string): Shape {
    if (name === 'length') {
      if (find(target).kinds.size === 0) note(target, 'array')
      return createShape('number')
    }
    if (name === 'size' && (find(target).kinds.has('map') || find(target).kinds.has('set'))) {
      return createShape('number')
    }
    if (!find(target).kinds.has('array') && !find(target).kinds.has('string')) note(target, 'object')
    return propOf(target, name)
  }

  function read(start: ts.Expression, scope: Scope): Shape {
    const node = start
    if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
      return read(node.expression, scope)
    }
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node)) {
      const inner = read(node.expression, scope)
      const written = typeOf(node.type)
      if (written.isTyped && !find(inner).isTyped && node.type.getText(source) !== 'const') {
        unify(inner, written)
      }
      return inner
    }
    if (ts.isIdentifier(node)) return lookup(node.text, scope)
    const value = literal(node)
    if (value !== undefined) return createShape(typeof value as Kind)
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      return createShape('boolean')
    }
    if (node.kind === ts.SyntaxKind.ThisKeyword) return classes.at(-1) ?? createShape()
    if (ts.isTemplateExpression(node)) {
      for (const span of node.templateSpans) {
        const shape = read(span.expression, scope)
        if (find(shape).kinds.size === 0 && find(shape).props.size === 0) note(shape, 'string')
      }
      return createShape('string')
    }
    if (ts.isCallExpression(node)) return call(node, scope)
    if (ts.isNewExpression(node)) return construction(node, scope)
    if (ts.isBinaryExpression(node)) return binary(node, scope)
    if (ts.isPropertyAccessExpression(node)) {
      if (
        ts.isIdentifier(node.expression) &&
        builtins.has(node.expression.text) &&
        node.expression.text !== 'exports' &&
        node.expression.text !== 'module'
      ) {
        return createShape()
      }
      const target = read(node.expression, scope)
      if (node.questionDotToken !== undefined) find(target).isNullable ||= !find(target).isTyped
      return property(target, node.name.text)
    }
    if (ts.isElementAccessExpression(node)) {
      const target = read(node.expression, scope)
      const key = literal(node.argumentExpression)
      if (typeof key === 'string') return property(target, key)
      const index = read(node.argumentExpression, scope)
      if (find(target).kinds.has('string')) return createShape('string')
      const isIndex =
        typeof key === 'number' || find(index).kinds.has('number') || find(target).kinds.has('array')
      note(target, isIndex ? 'array' : 'dict')
      note(index, isIndex ? 'number' : 'string')
      return elementOf(target)
    }
    if (ts.isAwaitExpression(node)) {
      const shape = read(node.expression, scope)
      find(shape).isAwaited = true
      return shape
    }
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const shape = read(node.operand, scope)
      if (node.operator === ts.SyntaxKind.ExclamationToken) {
        tested(shape)
        return createShape('boolean')
      }
      note(shape, 'number')
      return createShape('number')
    }
    if (ts.isConditionalExpression(node)) {
      tested(read(node.condition, scope))
      const [whenTrue, whenFalse] = [read(node.whenTrue, scope), read(node.whenFalse, scope)]
      return find(whenTrue).kinds.size > 0 || find(whenTrue).props.size > 0 ? whenTrue : whenFalse
    }
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
      const shape = functionShape(node)
      shape.result = body(node, scope)
      return shape
    }
    if (ts.isClassExpression(node)) {
      classBody(node, scope)
      return createShape('function')
    }
    if (ts.isArrayLiteralExpression(node)) {
      const shape = createShape('array')
      for (const each of node.elements) {
        if (!ts.isSpreadElement(each)) weakly(elementOf(shape), read(each, scope))
        else {
          const spread = read(each.expression, scope)
          if (!find(spread).kinds.has('set') && !find(spread).kinds.has('string')) note(spread, 'array')
          weakly(elementOf(shape), elementOf(spread))
        }
      }
      return shape
    }
    if (ts.isObjectLiteralExpression(node)) {
      const shape = createShape('object')
      for (const each of node.properties) {
        if (ts.isSpreadAssignment(each)) note(read(each.expression, scope), 'object')
        else if (ts.isShorthandPropertyAssignment(each)) lookup(each.name.text, scope)
        else if (ts.isPropertyAssignment(each)) read(each.initializer, scope)
        else body(each, scope)
      }
      return shape
    }
    if (ts.isRegularExpressionLiteral(node)) return createShape('regexp')
    ts.forEachChild(node, (each) => statement(each, scope))
    return createShape()
  }

  function construction(node: ts.NewExpression, scope: Scope): Shape {
    const name = node.expression.getText(source)
    const [first] = args(node, scope)
    const kind = (
      { Map: 'map', Set: 'set', Date: 'date', RegExp: 'regexp', Array: 'array', Error: 'error' } as Record<
        string,
        Kind
      >
    )[name]
    if (kind === 'set' && first !== undefined) {
      note(first, 'array')
      const shape = createShape('set')
      shape.element = elementOf(first)
      return shape
    }
    if (kind !== undefined) return createShape(kind)
    if (builtins.has(name)) return createShape()
    const shape = read(node.expression, scope)
    note(shape, 'function')
    return resultOf(shape)
  }

  statements(source.statements, top)
  return { paramsOf, free, modules }
}
