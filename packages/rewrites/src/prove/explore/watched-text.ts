import ts from 'typescript'
import { isTelling, isSearch } from '../../run/telling.js'
import { asyncNamesIn } from '../suspects.js'
import { wrapped, type ModuleText } from '../module-text.js'

/** The global object that instrumented code tells what it does. */
export const WATCH = '__watch'

export interface WatchedText {
  text: string
  /** By the number of a probe: where in the module's JavaScript it stands. */
  starts: readonly number[]
}

const logical = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken
])

const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && logical.has(node.operatorToken.kind as never)

const isFunctionOrClass = (node: ts.Node): boolean =>
  ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node)

const isAsync = (node: ts.Node): boolean =>
  (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) &&
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true &&
  node.asteriskToken === undefined

/** Whether its result decides what runs next. */
function isCondition(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isIfStatement(parent)) return parent.expression === node
  if (ts.isConditionalExpression(parent)) return parent.condition === node
  return isLogical(parent) && !isFunctionOrClass(node)
}

const isLoopCondition = ({ parent }: ts.Expression, node: ts.Expression): boolean =>
  ((ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node) ||
  (ts.isForStatement(parent) && parent.condition === node)

const isOperand = (node: ts.Expression): boolean => {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) {
    return (
      isTelling(parent) || (parent.operatorToken.kind === ts.SyntaxKind.InKeyword && parent.left === node)
    )
  }
  if (ts.isCaseClause(parent) || ts.isSwitchStatement(parent)) return parent.expression === node
  return ts.isCallExpression(parent) && isSearch(parent) && parent.arguments.at(-1) === node
}

/** Calls whose value can stand alone as an argument. */
const isWholeCall = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) ||
    (ts.isCallExpression(node) &&
      node.expression.kind !== ts.SyntaxKind.SuperKeyword &&
      node.expression.kind !== ts.SyntaxKind.ImportKeyword &&
      node.expression.getText() !== 'require')) &&
  !(ts.isOptionalChain(node.parent) && node.parent.expression === node)

const isFound = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  /^(?:indexOf|lastIndexOf|findIndex|findLastIndex)$/.test(node.expression.name.text)

const isWritten = (node: ts.ElementAccessExpression): boolean => {
  const { parent } = node
  return (
    ts.isDeleteExpression(parent) ||
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
  )
}

/** Whether its value may be a text that the code puts together. */
const isText = (node: ts.Expression): boolean =>
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) ||
  (ts.isReturnStatement(node.parent) && !isFunctionOrClass(node)) ||
  (ts.isCallExpression(node) && ts.isVariableDeclaration(node.parent)) ||
  (ts.isBinaryExpression(node.parent) &&
    node.parent.right === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken)

/** Whether the code itself treats what a call returns as a promise. */
function makesPromise(node: ts.Node, asyncNames: ReadonlySet<string>): boolean {
  if (ts.isVoidExpression(node.parent)) return false
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Promise'
  if (!ts.isCallExpression(node)) return false
  const { expression: callee } = node
  if (ts.isIdentifier(callee)) return asyncNames.has(callee.text)
  if (!ts.isPropertyAccessExpression(callee)) return false
  const { text: name } = callee.name
  if (name === 'then') return node.arguments.length === 1
  if (name === 'finally' || callee.expression.getText() === 'Promise') return true
  return callee.expression.kind === ts.SyntaxKind.ThisKeyword && asyncNames.has(name)
}

/** The position that a list loses elements from, where the code has computed it. */
const isSpliced = (node: ts.Expression): boolean =>
  ts.isCallExpression(node.parent) &&
  ts.isPropertyAccessExpression(node.parent.expression) &&
  node.parent.expression.name.text === 'splice' &&
  node.parent.arguments[0] === node &&
  node.parent.arguments.length > 1 &&
  !ts.isLiteralExpression(node) &&
  !ts.isPrefixUnaryExpression(node)

/**
 * The module with calls of a watcher: which branches run, what is compared, what is called and thrown. No line of the
 * code moves.
 */
export function watchedText(module: ModuleText): WatchedText {
  const { source } = module
  const { text } = source
  const asyncNames = asyncNamesIn(source)
  const starts: number[] = []
  const probe = (node: ts.Node): number => starts.push(node.getStart(source)) - 1
  const call = (method: string, node: ts.Node, inner: string): string =>
    `${WATCH}.${method}(${probe(node)},(${inner}))`

  function stitched(node: ts.Node): string {
    let made = ''
    let done = node.getStart(source)
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source)
      // What has no text of its own, or stands before its place, such as a missing token.
      if (child.end <= start || start < done) return
      made += text.slice(done, start) + rendered(child)
      done = child.end
    })
    return made + text.slice(done, node.end)
  }

  function rendered(node: ts.Node): string {
    if (ts.isBlock(node) && ts.isFunctionLike(node.parent)) return bodyOf(node)
    const made = stitched(node)
    if (ts.isStatement(node)) return statementOf(node, made)
    return isExpression(node) ? expressionOf(node, made) : made
  }

  function bodyOf(block: ts.Block): string {
    const made = stitched(block)
    // Directives such as 'use strict' must stay first.
    const isDirected = /^\{\s*['"]use /.test(made)
    return isDirected ? made : `{${WATCH}.p(${probe(block)});${made.slice(1)}`
  }

  function statementOf(node: ts.Statement, made: string): string {
    const { parent } = node
    const isBranch =
      (ts.isIterationStatement(parent, false) && parent.statement === node) ||
      (ts.isIfStatement(parent) && parent.elseStatement !== node) ||
      ts.isCatchClause(parent)
    if (!isBranch) return made
    return ts.isBlock(node)
      ? `{${WATCH}.p(${probe(node)});${made.slice(1)}`
      : `{${WATCH}.p(${probe(node)});${made}}`
  }

  function expressionOf(node: ts.Expression, made: string): string {
    const { parent } = node
    let whole = made
    if (isAsync(node) && ts.isCallExpression(parent) && parent.expression !== node) {
      return call('f', node, whole)
    }
    if (ts.isAwaitExpression(node)) whole = `await ${call('a', node, made.slice('await'.length))}`
    if (isFound(node)) whole = call('m', node, whole)
    else if (isWholeCall(node) && makesPromise(node, asyncNames)) whole = call('r', node, whole)
    if (ts.isThrowStatement(parent)) return call('t', node, whole)
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) {
      const list = parent.expression.getText(source)
      const isRead = /^[\w$.]+$/.test(list) && !list.startsWith('super') && !isWritten(parent)
      if (isRead) whole = `${WATCH}.i(${probe(node)},${list},(${whole}))`
    }
    if (isText(node)) whole = call('s', node, whole)
    if (isSpliced(node)) {
      const list = ((parent as ts.CallExpression).expression as ts.PropertyAccessExpression).expression
      const owner = list.getText(source)
      if (/^[\w$.]+$/.test(owner)) whole = `${WATCH}.n(${probe(node)},${owner},(${whole}))`
    }
    if (isOperand(node)) whole = call('o', node, whole)
    if (isLoopCondition(node, node)) return call('l', node, whole)
    if (!isLogical(node) && isCondition(node)) whole = call('c', node, whole)
    if (ts.isArrowFunction(parent) && parent.body === node) whole = `(${WATCH}.p(${probe(node)}),(${whole}))`
    return whole
  }

  const file = source.statements
  let made = ''
  let done = 0
  for (const each of file) {
    const start = each.getStart(source)
    made += text.slice(done, start) + rendered(each)
    done = each.end
  }
  return { text: wrapped(made + text.slice(done), module), starts }
}

function isExpression(node: ts.Node): node is ts.Expression {
  const { parent } = node
  // Names that are no values, and what is assigned to or deleted.
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    if (ts.isBinaryExpression(parent)) {
      const { kind } = parent.operatorToken
      const isAssigned =
        parent.left === node && kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
      return !isAssigned
    }
    return (
      ts.isIfStatement(parent) ||
      ts.isConditionalExpression(parent) ||
      ts.isIterationStatement(parent, false) ||
      ts.isThrowStatement(parent) ||
      ts.isReturnStatement(parent) ||
      ts.isCaseOrDefaultClause(parent) ||
      ts.isSwitchStatement(parent) ||
      (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) ||
      (ts.isCallExpression(parent) && parent.expression !== node) ||
      (ts.isArrowFunction(parent) && parent.body === node)
    )
  }
  return ts.isExpression(node) && !ts.isSpreadElement(node) && !ts.isOmittedExpression(node)
}
