import ts from 'typescript'
import type { FoundKind } from '@filewright/analysis/results'
import type { Proof } from '@filewright/contracts'
import { anything } from './arguments.js'
import { callOf } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './driver.js'
import { answersOf, faults, hasManyCalls, inputsOf, proveCall, proveFault, type Fault } from './faults.js'
import type { LoadedCode, Run } from './machine.js'
import { thrownAt, type ModuleText } from './module-text.js'
import type { Mode } from './outside.js'
import { isAssignment, writesIn, type Writes } from './writes.js'

/** What the code may do wrong at a line, by its form alone. */
export interface Suspect {
  kind: 'null' | 'twice' | 'endless' | 'index'
  line: number
}

/** A fault that no rule reports, and that happened. */
export interface FoundFault {
  kind: FoundKind
  line: number
  proof: Proof
}

const MAX_SUSPECTS = 24
const MAX_TRIED = 6
/** A call that takes longer may not end. */
const MAX_CALL_WORK = 1_500_000

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
      if (name !== undefined && mayContinue(node, name, source)) add('twice', node)
    }
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
  const { left, operatorToken } = condition
  const name = left.getText(source)
  const isUp = /^(?:<=?|!==?)$/.test(operatorToken.getText(source))
  const isDown = /^>=?$/.test(operatorToken.getText(source))
  const step = incrementor.getText(source).replaceAll(' ', '')
  const goesOn =
    (isUp && (step === `${name}++` || step === `++${name}`)) ||
    (isDown && (step === `${name}--` || step === `--${name}`))
  if (!goesOn || !ts.isIdentifier(left)) return false
  let isChanged = /\.(?:push|unshift|splice)\(|\.length\s*(?:=(?!=)|\+)/.test(statement.getText(source))
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

/** One call, and what it showed without marks. */
interface Sign {
  kind: Suspect['kind']
  entry: Entry
  text: string
  mode: Mode
  run: Run | null
}

/**
 * Calls the entry points with the inputs for faults. Where one shows a fault, it is looked for at the suspected
 * lines. What cannot be proven there is not reported.
 */
export async function* findFaults(
  suspects: readonly Suspect[],
  entries: readonly Entry[],
  { code, language, module, loaded }: Pick<Case, 'code' | 'language' | 'module' | 'loaded'>,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const done = new Set<number>()
  for (const { kind, line } of suspects) {
    const proof = kind === 'index' ? await proveFault(kind, caseOf(line)) : null
    if (proof === null) continue
    done.add(line)
    yield { kind, line, proof }
  }
  const kinds = new Set(suspects.map(({ kind }) => kind))
  const cases = new Map<number, Case>()
  for (const entry of entries) {
    if (code.includes(`this.${entry.name}(`)) continue
    const tried = new Map<string, number>()
    for await (const sign of signsOf(entry, module, loaded, kinds)) {
      const key = `${sign.kind} ${sign.mode}`
      const count = tried.get(key) ?? 0
      tried.set(key, count + 1)
      if (count >= 2) continue
      const thrown =
        sign.kind === 'null' && sign.run !== null ? thrownAt(sign.run, module, code, language) : null
      const near = suspects
        .filter(({ kind }) => kind === sign.kind)
        .sort((a, b) => Number(b.line === thrown) - Number(a.line === thrown))
        .slice(0, MAX_TRIED)
      for (const { kind, line } of near) {
        if (done.has(line)) continue
        const given = cases.get(line) ?? caseOf(line)
        cases.set(line, given)
        const proof = await proveCall(faults[kind], sign.text, sign.mode, entry, given)
        if (proof === null) continue
        done.add(line)
        yield { kind, line, proof }
        break
      }
    }
  }
}

const modes: readonly Mode[] = ['usual', 'failing', 'throwing']
/** Nobody splits at an empty text, counts by a negative number, or passes a list where nothing asks for one. */
const unusual = new Set(['""', '-1', ...anything])
/** Each of the first calls of a run may be the one that fails. */
const everyMode: readonly Mode[] = [
  ...modes,
  ...([1, 2, 3, 4, 5, 6] as const).map((call) => `failing ${call}` as const)
]

async function* signsOf(
  entry: Entry,
  module: ModuleText,
  loaded: LoadedCode,
  kinds: ReadonlySet<Suspect['kind']>
): AsyncGenerator<Sign> {
  const call = callOf(entry, module)
  let isNew = true
  for (const input of inputsOf(call, module)) {
    const text = call.render(input)
    const isFirst = isNew
    isNew = false
    for (const mode of isFirst ? everyMode : modes) {
      const isOfFiles = mode === 'failing' && kinds.has('endless') && module.js.includes('Sync(')
      if (mode !== 'usual' && !kinds.has('twice') && !isOfFiles) continue
      const run = await loaded.run(text, MAX_CALL_WORK, mode)
      const sign = { entry, text, mode, run }
      if (run === null || (kinds.has('endless') && hasManyCalls(run))) {
        if ([...input.values()].some((value) => unusual.has(value))) break
        if ((mode === 'usual' || isOfFiles) && kinds.has('endless')) yield { ...sign, kind: 'endless' }
        // Other inputs would take as long.
        return
      }
      if (mode === 'usual' && kinds.has('null') && faultShown(run, faults.null)) {
        yield { ...sign, kind: 'null' }
      }
      if (kinds.has('twice') && answersOf(run, text).some(({ answers }) => answers.length > 1)) {
        yield { ...sign, kind: 'twice' }
      }
    }
  }
}

/** Without marks, whether the call threw like that anywhere. */
const faultShown = (run: Run, fault: Fault): boolean =>
  fault.checkOf({ ...run, isThrownHere: true }, '') !== null
