import ts from 'typescript'

/**
 * What the code believes to be missing at times, by the places where it asks. A key says where a value comes from:
 * `param options`, `.parent`, `.listeners.get()`, `.items[]`.
 */
export interface Beliefs {
  mayBeMissing: (key: string) => boolean
  /** Where the value of an expression comes from; null if that has no name. */
  keyOf: (node: ts.Expression) => string | null
}

type Origin = { key: string } | { value: ts.Expression } | null

const equalities = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken
])
const logical = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken
])
const MAX_DEPTH = 6

/** `null`, `undefined` or `void 0`. */
const isNothing = (node: ts.Expression): boolean =>
  node.kind === ts.SyntaxKind.NullKeyword ||
  ts.isVoidExpression(node) ||
  (ts.isIdentifier(node) && node.text === 'undefined')

export function beliefsIn(source: ts.SourceFile): Beliefs {
  const scopes = new Map<ts.Node, Map<string, Origin>>()
  const missing = new Set<string>()

  /** The names that a function declares itself. A name with several values has no origin. */
  function namesOf(scope: ts.Node): Map<string, Origin> {
    const known = scopes.get(scope)
    if (known !== undefined) return known
    const names = new Map<string, Origin>()
    scopes.set(scope, names)
    const bind = (name: ts.BindingName, origin: Origin): void => {
      if (ts.isIdentifier(name)) names.set(name.text, names.has(name.text) ? null : origin)
      else {
        for (const part of name.elements) {
          if (!ts.isBindingElement(part)) continue
          const from = part.propertyName ?? part.name
          bind(
            part.name,
            ts.isObjectBindingPattern(name) && ts.isIdentifier(from) ? { key: `.${from.text}` } : null
          )
        }
      }
    }
    if (ts.isFunctionLike(scope)) {
      for (const { name } of scope.parameters) {
        bind(name, ts.isIdentifier(name) ? { key: `param ${name.text}` } : null)
      }
    }
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node)) {
        const { parent } = node.parent
        const isElement = ts.isForOfStatement(parent) || ts.isForInStatement(parent)
        bind(node.name, isElement || node.initializer === undefined ? null : { value: node.initializer })
      }
      const isWritten =
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isIdentifier(node.left)
      // A parameter that gets its default is still that parameter.
      if (isWritten && names.get(node.left.getText(source)) !== undefined) {
        const origin = names.get(node.left.getText(source))
        if (origin === null || !('key' in (origin ?? {}))) names.set(node.left.getText(source), null)
      }
      if (!ts.isFunctionLike(node) || node === scope) ts.forEachChild(node, visit)
    }
    ts.forEachChild(scope, visit)
    return names
  }

  function originOf(name: ts.Identifier): Origin {
    let scope: ts.Node = name.parent
    while (scope !== undefined) {
      if (ts.isFunctionLike(scope) || ts.isSourceFile(scope)) {
        const names = namesOf(scope)
        if (names.has(name.text)) return names.get(name.text) ?? null
      }
      scope = scope.parent
    }
    return null
  }

  function keyOf(node: ts.Expression, depth = 0): string | null {
    if (depth > MAX_DEPTH) return null
    const inner = (part: ts.Expression): string => keyOf(part, depth + 1) ?? ''
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isNonNullExpression(node)) {
      return keyOf(node.expression, depth + 1)
    }
    if (ts.isIdentifier(node)) {
      const origin = originOf(node)
      if (origin === null) return null
      return 'key' in origin ? origin.key : keyOf(origin.value, depth + 1)
    }
    if (ts.isPropertyAccessExpression(node)) return `.${node.name.text}`
    if (ts.isElementAccessExpression(node)) return `${inner(node.expression)}[]`
    if (ts.isCallExpression(node)) {
      const { expression: callee } = node
      if (ts.isIdentifier(callee)) return `${callee.text}()`
      if (ts.isPropertyAccessExpression(callee)) return `${inner(callee.expression)}.${callee.name.text}()`
    }
    return null
  }

  function asked(node: ts.Expression): void {
    if (ts.isPrefixUnaryExpression(node)) return asked(node.operand)
    if (ts.isParenthesizedExpression(node)) return asked(node.expression)
    const key = ts.isTypeOfExpression(node) ? keyOf(node.expression) : keyOf(node)
    if (key === null) return
    missing.add(key)
    // A list that may be empty has no elements; what has a key may not have another.
    const list = ts.isPropertyAccessExpression(node) && /^(?:length|size)$/.test(node.name.text)
    const owner = list ? keyOf(node.expression) : null
    if (owner !== null) for (const last of ['[]', '.pop()', '.shift()', '.at()']) missing.add(owner + last)
  }

  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) asked(node.expression)
    if (ts.isConditionalExpression(node)) asked(node.condition)
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken
      if (logical.has(kind as never)) {
        asked(node.left)
        asked(node.right)
      }
      if (equalities.has(kind as never) && (isNothing(node.right) || ts.isTypeOfExpression(node.left))) {
        asked(node.left)
      }
      const isOfLength = ts.isPropertyAccessExpression(node.left) && node.left.name.text === 'length'
      if (isOfLength && ts.isNumericLiteral(node.right)) asked(node.left)
      if (kind === ts.SyntaxKind.InKeyword) missing.add(`${keyOf(node.right) ?? ''}[]`)
    }
    if (
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node) ||
      ts.isCallExpression(node)
    ) {
      if (node.questionDotToken !== undefined) asked(node.expression)
    }
    const isEmptied =
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left) &&
      isNothing(node.right)
    if (isEmptied) asked(node.left)
    const isEmpty = ts.isPropertyAssignment(node) && isNothing(node.initializer)
    if (isEmpty) missing.add(`.${node.name.getText(source)}`)
    if (ts.isParameter(node) && node.initializer !== undefined && ts.isIdentifier(node.name)) {
      missing.add(`param ${node.name.text}`)
    }
    if (ts.isBindingElement(node) && node.initializer !== undefined && ts.isIdentifier(node.name)) {
      missing.add(`.${(node.propertyName ?? node.name).getText(source)}`)
    }
    const isHas =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^(?:has|hasOwnProperty)$/.test(node.expression.name.text)
    if (isHas) {
      const owner = keyOf((node.expression as ts.PropertyAccessExpression).expression)
      if (owner !== null) for (const last of ['.get()', '[]']) missing.add(owner + last)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { mayBeMissing: (key) => missing.has(key), keyOf }
}

/** The values on a line from which a property of that name is read or written. */
export function receiversOf(source: ts.SourceFile, line: number, property: string): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (source.getLineAndCharacterOfPosition(node.end).line + 1 < line) return
    if (source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 > line) return
    if (ts.isPropertyAccessExpression(node) && node.name.text === property) {
      const isHere = source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1 === line
      if (isHere && node.questionDotToken === undefined) found.push(node.expression)
    }
    if (ts.isElementAccessExpression(node) && node.questionDotToken === undefined) {
      const { argumentExpression: key } = node
      if (!ts.isStringLiteral(key) || key.text === property) found.push(node.expression)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
