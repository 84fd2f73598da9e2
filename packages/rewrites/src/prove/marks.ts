import ts from 'typescript'

/** Global functions that are called before and after an expression of the finding. */
export const ENTER = '__enter'
export const LEAVE = '__leave'
/** Gets the list and the index of each element that the finding's statement reads. */
export const ELEMENT = '__element'
/** Gets what the finding's line runs as code. */
export const CODE = '__code'
/** Gets the patterns that the finding's line makes of texts. */
export const PATTERN = '__pattern'
/** Gets each function that the end of a branch calls, before it does. */
export const LAST = '__last'

/** The whole expressions that a node evaluates itself. */
function expressionsOf(node: ts.Node): Array<ts.Expression | undefined> {
  if (ts.isExpressionStatement(node)) return ts.isStringLiteral(node.expression) ? [] : [node.expression]
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : [node.body]
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) return [node.initializer]
  if (ts.isForStatement(node)) return [node.condition, node.incrementor]
  const hasExpression =
    ts.isReturnStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isWhileStatement(node) ||
    ts.isDoStatement(node) ||
    ts.isSwitchStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isExportAssignment(node)
  return hasExpression ? [node.expression] : []
}

interface Marked {
  node: ts.Expression
  /** Otherwise it is a part of one that is, on other lines. */
  isOfLine: boolean
}

/**
 * The expressions that begin on a line, and else the innermost one that has it; and what functions in them
 * evaluate on other lines.
 */
function expressionsAt(source: ts.SourceFile, line: number): Marked[] {
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const onLine: ts.Expression[] = []
  let around: ts.Expression | undefined
  let isOwn = false
  const visit = (node: ts.Node, isAround: boolean): void => {
    if (lineAt(node.getStart(source)) > line || lineAt(node.end) < line) return
    const isInCallback = isAround || (ts.isFunctionLike(node) && lineAt(node.getStart(source)) === line)
    for (const expression of expressionsOf(node)) {
      if (expression === undefined || ts.isFunctionLike(expression) || ts.isClassLike(expression)) continue
      const first = lineAt((isPattern(expression.parent) ? expression.parent : expression).getStart(source))
      if (first === line) {
        onLine.push(expression)
        isOwn ||= !isInCallback
      } else if (first < line && lineAt(expression.end) >= line) around = expression
    }
    ts.forEachChild(node, (child) => visit(child, isInCallback))
  }
  visit(source, false)
  // A callback on the line is a part of the expression around it.
  const ofLine = isOwn || around === undefined ? onLine : [around, ...onLine]
  const elsewhere = new Set<ts.Expression>()
  const collect = (node: ts.Node): void => {
    for (const expression of expressionsOf(node)) {
      if (expression === undefined || ts.isFunctionLike(expression) || ts.isClassLike(expression)) continue
      const isAway = lineAt(expression.getStart(source)) > line || lineAt(expression.end) < line
      if (isAway) elsewhere.add(expression)
    }
    ts.forEachChild(node, collect)
  }
  for (const expression of ofLine) ts.forEachChild(expression, collect)
  return [
    ...ofLine.map((node) => ({ node, isOfLine: true })),
    ...[...elsewhere].map((node) => ({ node, isOfLine: false }))
  ]
}

/** The arguments on a line that `eval`, `Function`, `vm` and timers run as code. */
function codeAt(source: ts.SourceFile, line: number): ts.Expression[] {
  const found: ts.Expression[] = []
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    if (lineAt(node.getStart(source)) > line || lineAt(node.end) < line) return
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression.getText(source)
      const isFunction = /^(?:global(?:This)?\.|window\.)?Function$/.test(callee)
      const isCode =
        isFunction || /^(?:\(0, ?)?eval\)?$|\.eval$|(?:runIn\w+|Script|setTimeout|setInterval)$/.test(callee)
      const text = isFunction ? node.arguments?.at(-1) : node.arguments?.[0]
      const isText = text !== undefined && !ts.isFunctionLike(text) && !ts.isSpreadElement(text)
      if (isCode && isText) found.push(text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The arguments on a line of which `RegExp` makes a pattern, other than strings. */
export function madePatternsAt(source: ts.SourceFile, line: number): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const isHere = source.getLineAndCharacterOfPosition(node.getStart(source)).line === line - 1
      const [first] = node.arguments ?? []
      const isMade = first !== undefined && !ts.isStringLiteralLike(first) && !ts.isSpreadElement(first)
      if (isHere && isMade && node.expression.getText(source) === 'RegExp') found.push(first)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Reads of elements by the statement that begins on a line, where the list is a name or a property. */
function elementsAt(source: ts.SourceFile, line: number): ts.ElementAccessExpression[] {
  const found: ts.ElementAccessExpression[] = []
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const isWritten = ({ parent, pos }: ts.Node): boolean =>
    ts.isDeleteExpression(parent) ||
    (ts.isCallExpression(parent) && parent.expression.pos === pos) ||
    (ts.isBinaryExpression(parent) &&
      parent.left.pos === pos &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (lineAt(node.end) < line) return
    const isStatement = isInside || (ts.isStatement(node) && lineAt(node.getStart(source)) === line)
    if (isStatement && ts.isElementAccessExpression(node) && !isWritten(node)) {
      if (/^[\w$.]+$/.test(node.expression.getText(source))) found.push(node)
    }
    ts.forEachChild(node, (child) => visit(child, isStatement))
  }
  visit(source, false)
  return found
}

/** A text that is put into the code at a place. */
export interface Mark {
  at: number
  text: string
}

/** All marks of a line; none if it has no expressions. */
export function lineMarks(source: ts.SourceFile, line: number): Mark[] {
  const around = (nodes: readonly ts.Expression[], name: string): Mark[] =>
    nodes.flatMap((node) => [
      { at: node.getStart(source), text: `globalThis.${name}(` },
      { at: node.end, text: ')' }
    ])
  const marks = expressionMarks(source, line)
  if (marks.length === 0) return []
  return [
    ...marks,
    ...around(codeAt(source, line), CODE),
    ...around(madePatternsAt(source, line), PATTERN),
    ...elementMarks(source, line),
    ...lastMarks(source, line)
  ]
}

/** Names of functions that return. */
const returning = /^(?:log|debug|info|warn|trace|print|report|notify)/i
/** Names of methods that may not. */
const leaving = /^(?:throw|fail|abort|die|panic|exit|raise|bail|notFound|redirect)/

/**
 * A branch without `return` or `throw` whose last statement calls a function may end there: `if (!match) notFound()`.
 * What that function does is known only if the code contains it.
 */
function lastMarks(source: ts.SourceFile, line: number): Mark[] {
  const found: Mark[] = []
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    const callee = ts.isExpressionStatement(node) && endsBranch(node) ? calleeOf(node.expression) : null
    // What the finding is about is called.
    const isHere = lineAt(node.getStart(source)) <= line && lineAt(node.end) >= line
    if (callee !== null && !isHere) {
      found.push({ at: node.getStart(source), text: `globalThis.${LAST}(${callee.getText(source)}), ` })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function endsBranch({ parent, end }: ts.Statement): boolean {
  if (ts.isIfStatement(parent)) return true
  const isLast =
    (ts.isBlock(parent) || ts.isCaseOrDefaultClause(parent)) && parent.statements.at(-1)?.end === end
  return isLast && (!ts.isBlock(parent) || ts.isIfStatement(parent.parent) || ts.isCatchClause(parent.parent))
}

function calleeOf(node: ts.Expression): ts.Expression | null {
  if (ts.isAwaitExpression(node)) return calleeOf(node.expression)
  if (!ts.isCallExpression(node)) return null
  const { expression: callee } = node
  if (ts.isIdentifier(callee)) return returning.test(callee.text) ? null : callee
  const isMethod = ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression)
  return isMethod && leaving.test(callee.name.text) ? callee : null
}

export const expressionMarks = (source: ts.SourceFile, line: number): Mark[] =>
  expressionsAt(source, line).flatMap(({ node, isOfLine }) => {
    // The elements are taken inside of the marks.
    const [before, after] = isPattern(node.parent) ? ['[...(', ')]'] : ['', '']
    return [
      { at: node.getStart(source), text: `globalThis.${LEAVE}(globalThis.${ENTER}(${isOfLine}), (${before}` },
      { at: node.end, text: `${after}${ts.isExpressionStatement(node.parent) ? '), true)' : '))'}` }
    ]
  })

const isPattern = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) && ts.isArrayBindingPattern(node.name)

export const elementMarks = (source: ts.SourceFile, line: number): Mark[] =>
  elementsAt(source, line).flatMap(({ expression, argumentExpression: index }) => [
    { at: index.getStart(source), text: `globalThis.${ELEMENT}(${expression.getText(source)}, ` },
    { at: index.end, text: ')' }
  ])

export function withMarks(code: string, marks: readonly Mark[]): string {
  let marked = ''
  let done = 0
  // At one place, what was found later is inside.
  for (const { at, text } of marks.toSorted((a, b) => a.at - b.at)) {
    marked += code.slice(done, at) + text
    done = at
  }
  return marked + code.slice(done)
}
