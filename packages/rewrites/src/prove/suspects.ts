import ts from 'typescript'
import type { Proof } from '@filewright/contracts'
import { callOf } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './driver.js'
import { answersOf, faults, inputsOf, proveCall, type Fault } from './faults.js'
import type { LoadedCode, Run } from './machine.js'
import type { ModuleText } from './module-text.js'
import type { Mode } from './outside.js'

/** What the code may do wrong at a line, by its form alone. */
export interface Suspect {
  kind: 'null' | 'twice' | 'endless'
  line: number
}

/** A fault that no rule reports, and that happened. */
export interface FoundFault {
  kind: Suspect['kind']
  line: number
  proof: Proof
}

const MAX_SUSPECTS = 24
const MAX_TRIED = 6
/** A call that takes longer may not end. */
const MAX_CALL_WORK = 1_500_000

const answering = /^(?:cb|callback|done|next)$/
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
  const mayBeNull = (node: ts.Expression): boolean =>
    ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)
      ? mayBeNull(node.expression)
      : isMatch(node) || (ts.isIdentifier(node) && matches.has(node.text))
  const visit = (node: ts.Node): void => {
    if (found.length >= MAX_SUSPECTS) return
    const isLoop = ts.isWhileStatement(node) || (ts.isForStatement(node) && !isCounting(node, source))
    if (isLoop && !isOfNumbers(node, source)) add('endless', node)
    if (ts.isDoStatement(node) && !isOfNumbers(node, source)) add('endless', node.expression)
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const callee = node.expression.expression.getText(source)
      const isAnswer = answering.test(callee) || responses.test(callee)
      if (isAnswer && mayContinue(node, callee.split('.')[0]!, source)) add('twice', node)
    }
    const isRead = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
    if (isRead && node.questionDotToken === undefined && mayBeNull(node.expression)) {
      add('null', statementOf(node))
    }
    const isPattern = ts.isVariableDeclaration(node) && ts.isArrayBindingPattern(node.name)
    if (isPattern && node.initializer !== undefined && isMatch(node.initializer)) {
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
  source: ts.SourceFile
): boolean {
  const condition = ts.isForStatement(node) ? node.condition : node.expression
  return /!==?\s*[-\d]|[-+*/%].*!==?/s.test(condition?.getText(source) ?? '')
}

/** Whether a loop counts towards a bound and nothing in it changes either. Such a loop ends. */
function isCounting({ condition, incrementor, statement }: ts.ForStatement, source: ts.SourceFile): boolean {
  if (condition === undefined || incrementor === undefined || !ts.isBinaryExpression(condition)) return false
  const { left, operatorToken } = condition
  const name = left.getText(source)
  const isUp = /^<=?$/.test(operatorToken.getText(source))
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

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

function statementOf(node: ts.Node): ts.Node {
  let current = node
  while (!ts.isStatement(current) && !ts.isFunctionLike(current.parent)) current = current.parent
  return current
}

/** Whether this is the last statement of a branch, and the same function names what it calls again behind it. */
function mayContinue(node: ts.ExpressionStatement, name: string, source: ts.SourceFile): boolean {
  const isLast = !ts.isBlock(node.parent) || node.parent.statements.at(-1) === node
  const branch = ts.isBlock(node.parent) ? node.parent.parent : node.parent
  if (!isLast || !ts.isIfStatement(branch) || branch.elseStatement !== undefined) return false
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
}

/**
 * Calls the entry points with the inputs for faults. Where one shows a fault, it is looked for at the suspected
 * lines. What cannot be proven there is not reported.
 */
export async function* findFaults(
  suspects: readonly Suspect[],
  entries: readonly Entry[],
  { code, module, loaded }: { code: string; module: ModuleText; loaded: LoadedCode },
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const done = new Set<number>()
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
      const near = suspects.filter(({ kind }) => kind === sign.kind).slice(0, MAX_TRIED)
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

async function* signsOf(
  entry: Entry,
  module: ModuleText,
  loaded: LoadedCode,
  kinds: ReadonlySet<Suspect['kind']>
): AsyncGenerator<Sign> {
  const call = callOf(entry, module)
  for (const input of inputsOf(call, module)) {
    const text = call.render(input)
    for (const mode of ['usual', 'failing'] as const) {
      if (mode === 'failing' && !kinds.has('twice')) continue
      const run = await loaded.run(text, MAX_CALL_WORK, mode)
      const sign = { entry, text, mode }
      if (run === null) {
        if (mode === 'usual' && kinds.has('endless')) yield { ...sign, kind: 'endless' }
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
