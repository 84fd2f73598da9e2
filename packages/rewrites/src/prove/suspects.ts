import ts from 'typescript'
import { isAssignment, writesIn, type Writes } from './writes.js'

/** What the code may do wrong at a line, by its form alone. */
export interface Suspect {
  kind: 'null' | 'twice' | 'again' | 'endless' | 'index' | 'rejection'
  line: number
}

const MAX_SUSPECTS = 24

/** Callbacks that a caller passes for one answer. */
export const callbacks = /^(?:cb|callback|done|\w+Callback)$/
const answering = /^(?:cb|callback|done|next|\w+Callback)$/
const passedOn = /^(?:cb|callback|done|next|\w+Callback|res|response|reply)$/
const responses =
  /^(?:res|response|reply)\.(?:[\w.]*\(.*\)\.)?(?:send|json|end|redirect|render|sendStatus|sendFile)$/s

/** The lines of the code at which a run may show a fault. */
export function suspectsIn(source: ts.SourceFile): Suspect[] {
  const found: Suspect[] = []
  const add = (kind: Suspect['kind'], node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    if (found.every((each) => each.line !== line || each.kind !== kind)) found.push({ kind, line })
  }
  const matches = matchesIn(source)
  const asyncNames = asyncNamesIn(source)
  const filesName = filesNameIn(source.text)
  const writes = writesIn(source)
  const mayBeNull = (node: ts.Expression): boolean =>
    ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node)
      ? mayBeNull(node.expression)
      : isMatch(node) || (ts.isIdentifier(node) && matches.has(node.text))
  const visit = (node: ts.Node): void => {
    if (found.length >= MAX_SUSPECTS) return
    const isLoop = ts.isWhileStatement(node) || (ts.isForStatement(node) && !isCounting(node, source))
    if (isLoop && !isOfNumbers(node, source, writes)) add('endless', node)
    if (ts.isForStatement(node) && mayPassTheEnd(node, source, writes)) add('index', node)
    if (ts.isDoStatement(node) && !isOfNumbers(node, source, writes)) add('endless', node.expression)
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const callee = node.expression.expression.getText(source)
      const isAnswer = answering.test(callee) || responses.test(callee)
      // A function that gets the response or the callback may answer.
      const passed = node.expression.arguments.find((each) => passedOn.test(each.getText(source)))
      const name = isAnswer ? callee.split('.')[0] : passed?.getText(source)
      const names = name === undefined ? [] : [name, ...(responses.test(callee) ? ['next'] : [])]
      const others = name === 'next' ? ['res', 'response', 'reply'] : []
      if ([...names, ...others].some((each) => mayContinue(node, each, source))) add('twice', node)
    }
    const isDropped = ts.isExpressionStatement(node) && dropsPromise(node.expression, asyncNames, filesName)
    if (isDropped) add('rejection', node)
    const isCallback = ts.isCallExpression(node) && callbacks.test(node.expression.getText(source))
    if (isCallback) add('again', statementOf(node))
    if (ts.isElementAccessExpression(node) && isReadAtLength(node, writes)) add('index', statementOf(node))
    const isRead = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
    if (isRead && node.questionDotToken === undefined && mayBeNull(node.expression)) {
      add('null', statementOf(node))
    }
    const isPattern = ts.isVariableDeclaration(node) && ts.isArrayBindingPattern(node.name)
    if (isPattern && node.initializer !== undefined && mayBeNull(node.initializer)) {
      add('null', statementOf(node))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Whether the condition is an inequality of numbers. It never fails for NaN, which a caller need not pass. */
function isOfNumbers(
  node: ts.WhileStatement | ts.ForStatement | ts.DoStatement,
  source: ts.SourceFile,
  writes: Writes
): boolean {
  const condition = ts.isForStatement(node) ? node.condition : node.expression
  const text = condition?.getText(source) ?? ''
  const [, name = ''] = /^([\w$]+)\s*!==?\s*-1$/.exec(text) ?? []
  if (writes.get(name)?.isFound === true) return false
  return /!==?\s*[-\d]|[-+*/%].*!==?/s.test(text)
}

/** Whether the index is a name that has the list's length and is never changed. */
function isReadAtLength(
  { expression, argumentExpression }: ts.ElementAccessExpression,
  writes: Writes
): boolean {
  if (!ts.isIdentifier(argumentExpression) || !ts.isIdentifier(expression)) return false
  const written = writes.get(argumentExpression.text)
  return written?.count === 1 && written.lengthOf === expression.text
}

/** Whether a loop counts up to the length of a list, that included, and reads its elements without asking. */
function mayPassTheEnd(
  { condition, statement }: ts.ForStatement,
  source: ts.SourceFile,
  writes: Writes
): boolean {
  if (condition === undefined || !ts.isBinaryExpression(condition)) return false
  const { left, operatorToken, right } = condition
  if (operatorToken.kind !== ts.SyntaxKind.LessThanEqualsToken || !ts.isIdentifier(left)) return false
  const bound = right.getText(source)
  const written = ts.isIdentifier(right) ? writes.get(right.text) : undefined
  const isLength = bound.endsWith('.length') || (written?.count === 1 && written.lengthOf !== null)
  const body = statement.getText(source)
  const asks =
    /\bundefined\b|\?\?|\?\.|===? *[\w$.]*length|< *[\w$.]*length/.test(body) || body.includes(`=== ${bound}`)
  return isLength && !asks && body.includes(`[${left.text}]`)
}

/** Whether a loop counts towards a bound and nothing in it changes either. Such a loop ends. */
function isCounting({ condition, incrementor, statement }: ts.ForStatement, source: ts.SourceFile): boolean {
  if (condition === undefined || incrementor === undefined || !ts.isBinaryExpression(condition)) return false
  const { left, operatorToken, right } = condition
  const name = left.getText(source)
  const isUp = /^(?:<=?|!==?)$/.test(operatorToken.getText(source))
  const isDown = /^>=?$/.test(operatorToken.getText(source))
  const step = incrementor.getText(source).replaceAll(' ', '')
  const goesOn =
    (isUp && (step === `${name}++` || step === `++${name}`)) ||
    (isDown && (step === `${name}--` || step === `--${name}`))
  if (!goesOn || !ts.isIdentifier(left)) return false
  // A list may grow while the loop counts up to its length.
  const isOfLength = right.getText(source).endsWith('.length')
  let isChanged =
    isOfLength && /\.(?:push|unshift|splice)\(|\.length\s*(?:=(?!=)|\+)/.test(statement.getText(source))
  const visit = (node: ts.Node): void => {
    const target = ts.isBinaryExpression(node) && isAssignment(node) ? node.left : null
    const moved = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operand : null
    if ([target, moved].some((each) => each?.getText(source) === name)) isChanged = true
    if (!isChanged) ts.forEachChild(node, visit)
  }
  visit(statement)
  return !isChanged
}

function statementOf(node: ts.Node): ts.Node {
  let current = node
  while (!ts.isStatement(current) && !ts.isFunctionLike(current.parent)) current = current.parent
  return current
}

/** Whether this is the last statement of a branch, and the same function names what it calls again behind it. */
function mayContinue(node: ts.ExpressionStatement, name: string, source: ts.SourceFile): boolean {
  const block = ts.isBlock(node.parent) ? node.parent : null
  const after = block?.statements.slice(block.statements.indexOf(node) + 1) ?? []
  const isLeft = after.some((each) => ts.isReturnStatement(each) || ts.isThrowStatement(each))
  const branch = block?.parent ?? node.parent
  // What the callback throws is caught by those who call it again.
  const caught = ts.isTryStatement(branch) && branch.tryBlock === block ? branch.catchClause : undefined
  const calls = new RegExp(`\\b${name.replaceAll('$', '\\$')}\\(`)
  if (caught !== undefined && calls.test(caught.getText(source))) return true
  if (isLeft || !ts.isIfStatement(branch) || branch.elseStatement !== undefined) return false
  let current: ts.Node = branch
  while (!ts.isFunctionLike(current) && !ts.isIterationStatement(current, false)) {
    const { parent } = current
    if (parent === undefined) return false
    const behind = ts.isBlock(parent) ? parent.statements.filter(({ pos }) => pos >= current.end) : []
    for (const each of behind) {
      const words = each.getText(source).match(/[\w$]+/g) ?? []
      if (words.some((word) => word === name)) return true
      if (ts.isReturnStatement(each) || ts.isThrowStatement(each)) return false
    }
    current = parent
  }
  return false
}

const isMatch = (node: ts.Expression): boolean =>
  ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)
    ? isMatch(node.expression)
    : isMatchCall(node)

const isMatchCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.questionDotToken === undefined &&
  /^(?:match|exec)$/.test(node.expression.name.text)

/** Whether the value of a statement is a promise that nothing else can handle. */
function dropsPromise(
  call: ts.Expression,
  asyncNames: ReadonlySet<string>,
  filesName: string | null
): boolean {
  if (!ts.isCallExpression(call)) return false
  const { expression: callee, arguments: given } = call
  if (ts.isIdentifier(callee)) return asyncNames.has(callee.text)
  if (!ts.isPropertyAccessExpression(callee)) return false
  const name = callee.name.text
  if (name === 'then') return given.length === 1
  if (name === 'finally') return true
  const owner = callee.expression.getText()
  if (owner === filesName || /\bfs\.promises$/.test(owner)) return true
  return callee.expression.kind === ts.SyntaxKind.ThisKeyword && asyncNames.has(name)
}

/** The name under which the code has the promises of `fs`. */
function filesNameIn(code: string): string | null {
  const names = [
    /\*\s{0,9}as\s{1,9}(\w{1,60})\s{1,9}from\s{0,9}['"](?:node:)?fs\/promises['"]/,
    /import\s{1,9}(\w{1,60})\s{1,9}from\s{0,9}['"](?:node:)?fs\/promises['"]/,
    /promises\s{0,9}(?:as|:)\s{0,9}(\w{1,60})\b/,
    /\b(\w{1,60})\s{0,9}=\s{0,9}require\(['"](?:node:)?fs(?:\/promises['"]\)|['"]\)\.promises)/
  ]
  return names.map((name) => name.exec(code)?.[1]).find((name) => name !== undefined) ?? null
}

/** The names of the async functions of the code. */
function asyncNamesIn(source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && ts.canHaveModifiers(node)) {
      const isAsync = ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true
      const { parent } = node
      const isValue = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
      const name = node.name ?? (isValue ? parent.name : undefined)
      if (isAsync && name !== undefined) names.add(name.getText(source))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** The names of variables that begin as the result of `match` or `exec`. */
function matchesIn(source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isMade =
      ts.isVariableDeclaration(node) && node.initializer !== undefined && isMatch(node.initializer)
    if (isMade && ts.isIdentifier(node.name)) names.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}
