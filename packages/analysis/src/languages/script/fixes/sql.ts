import type { ScriptContext } from '../context.js'
import { calleeOf, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, spanOf, textOf, type ScriptNode } from '../nodes.js'
import { closest, walk } from '../walk.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'
import { driverOf, type ScriptDriver } from './drivers.js'
import { createScriptValues, type ScriptValues } from './values.js'
import { parameterise, type SqlParameter, type SqlPiece } from '../../../fix/sql-parameters.js'

const ruleId = 'js/sql-injection'
const description = 'Passed the values as query parameters.'

/** The pieces of a template, or of a sum that begins with a text: only then is every + one of texts. */
export function sqlPiecesOf(node: ScriptNode): SqlPiece<ScriptNode>[] | null {
  if (isType(node, 'TemplateLiteral')) {
    const expressions = children(node, 'expressions')
    const pieces: SqlPiece<ScriptNode>[] = []
    for (const [index, quasi] of children(node, 'quasis').entries()) {
      const { raw, cooked } = quasi.value as { raw: string; cooked?: string | null }
      if (raw !== cooked) return null
      pieces.push({ text: raw })
      if (expressions[index] !== undefined) pieces.push({ value: expressions[index] })
    }
    return pieces
  }
  const pieces: SqlPiece<ScriptNode>[] = []
  let current: ScriptNode | null = node
  while (isType(current, 'BinaryExpression') && current.operator === '+') {
    const right = child(current, 'right')!
    pieces.unshift(
      ...(isType(right, 'TemplateLiteral') ? (sqlPiecesOf(right) ?? [{ value: right }]) : [pieceOf(right)])
    )
    current = child(current, 'left')
  }
  if (pieces.length === 0 || textOf(current) === null) return null
  return [pieceOf(current!), ...pieces]
}

function pieceOf(node: ScriptNode): SqlPiece<ScriptNode> {
  const text = textOf(node)
  return text === null ? { value: node } : { text }
}

/** The text as the code had it: a template stays one, a sum becomes one literal. */
function literalOf(text: string, original: ScriptNode, script: ScriptContext): string | null {
  if (isType(original, 'TemplateLiteral')) return /[`\\]|\$\{/.test(text) ? null : `\`${text}\``
  const quote = /["']/.exec(script.text(original))?.[0] ?? "'"
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replaceAll(quote, `\\${quote}`)
  return /[\r\t\u2028\u2029]/.test(text) ? null : quote + escaped + quote
}

function valueText(
  { pieces, isText }: SqlParameter<ScriptNode>,
  driver: ScriptDriver,
  script: ScriptContext,
  values: ScriptValues
): string | null {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined && 'value' in first) {
    const text = script.text(first.value)
    const isKnown = isText
      ? values.isText(first.value)
      : values.isNumber(first.value) || values.isText(first.value) || !driver.readsObjects
    if (isKnown) return text
    return script.isDeclaredAnywhere('String') ? null : `String(${text})`
  }
  if (pieces.some((piece) => 'text' in piece && /[`\\]|\$\{/.test(piece.text))) return null
  return `\`${pieces.map((piece) => ('text' in piece ? piece.text : `\${${script.text(piece.value)}}`)).join('')}\``
}

/** Where the text of a statement is made: at the call, or in a constant that only the call reads. */
function madeAt(
  argument: ScriptNode,
  call: ScriptNode,
  script: ScriptContext
): { node: ScriptNode; isNext: boolean } | null {
  if (!isType(argument, 'Identifier')) return { node: argument, isNext: true }
  const init = bare(script.initOf(argument))
  const variable = script.variableOf(argument)
  const declaration = init === null ? null : closest(init, ({ type }) => type === 'VariableDeclaration')
  if (init === null || variable === null || declaration?.parent == null) return null
  const uses = variable.references.filter((reference) => reference.init !== true)
  if (uses.length !== 1 || !isType(child(init.parent, 'id'), 'Identifier')) return null
  const block = declaration.parent
  const around = (node: ScriptNode): ScriptNode | null =>
    closest(node, (each) => isType(each, ...functionTypes))
  if (!isType(block, 'BlockStatement', 'Program') || around(init) !== around(call)) return null
  const body = children(block, 'body')
  const next = body[body.indexOf(declaration) + 1]
  const isNext = next !== undefined && next.range[0] <= call.range[0] && call.range[1] <= next.range[1]
  return { node: init, isNext: isNext && children(declaration, 'declarations').length === 1 }
}

const isPath = (node: ScriptNode | null): boolean =>
  isType(node, 'Identifier', 'Literal') ||
  (isType(node, 'MemberExpression') && node.computed !== true && isPath(child(node, 'object')))

/** Statements whose values become parameters, where the driver is known and nothing else changes. */
export function* parameterisedQueries(root: ScriptNode, script: ScriptContext): Generator<Edit> {
  const values = createScriptValues(script)
  let looked = 0
  for (const call of walk(root)) {
    const callee = child(call, 'callee')
    if (!isType(call, 'CallExpression') || !isType(callee, 'MemberExpression') || callee.computed === true) {
      continue
    }
    const args = children(call, 'arguments')
    const [sql] = args
    if (sql === undefined || !isType(sql, 'TemplateLiteral', 'BinaryExpression', 'Identifier')) continue
    const method = lastName(calleeOf(call))
    if (!/^(?:query|execute|run|get|all|each|prepare)$/.test(method)) continue
    const made = madeAt(sql, call, script)
    const pieces = made === null ? null : sqlPiecesOf(made.node)
    if (made === null || pieces === null || !pieces.some((piece) => 'value' in piece)) continue
    if (++looked > maxCandidates) return
    const driver = driverOf(child(callee, 'object'), script, values)
    const place = driver === null ? null : placeOf(call, sql, method, driver)
    if (driver === null || place === null) continue
    const result = parameterise(pieces, driver, values)
    const moved = pieces.flatMap((piece) => ('value' in piece ? [piece.value] : []))
    const canMove =
      made.node === sql || moved.every((each) => values.isStable(each) || (made.isNext && isPath(each)))
    const text = result === null ? null : literalOf(result.text, made.node, script)
    const list = result?.parameters.map((each) => valueText(each, driver, script, values)) ?? []
    if (text === null || !canMove || list.includes(null)) continue
    if (moved.some((each) => isType(each, 'SequenceExpression', 'AssignmentExpression', 'YieldExpression'))) {
      continue
    }
    const edit = { ruleId, description, group: {} }
    const given = driver.prepares === undefined ? `[${list.join(', ')}]` : list.join(', ')
    const { start, end, isNew } = place
    yield { ...edit, ...spanOf(made.node), text }
    yield { ...edit, start, end, text: isNew ? `, ${given}` : given }
  }
}

const isCallback = (node: ScriptNode): boolean =>
  isType(node, ...functionTypes) ||
  (isType(node, 'Identifier') && /^(?:cb|callback|done|next)$/.test(String(node.name)))

interface Place {
  start: number
  end: number
  /** Behind another argument. */
  isNew: boolean
}

/** Where the values go; null where the call has some already or is used in another way. */
function placeOf(call: ScriptNode, sql: ScriptNode, method: string, driver: ScriptDriver): Place | null {
  const args = children(call, 'arguments')
  if (driver.prepares === undefined) {
    if (!driver.methods.test(method)) return null
    const [, second, ...others] = args
    if (isType(second, 'ArrayExpression') && children(second, 'elements').length === 0) {
      return { ...spanOf(second), isNew: false }
    }
    const isFree = others.length === 0 && (second === undefined || isCallback(second))
    return isFree ? { start: sql.range[1], end: sql.range[1], isNew: true } : null
  }
  const member = call.parent
  const outer = member?.parent
  const isRun =
    method === driver.prepares &&
    args.length === 1 &&
    isType(member, 'MemberExpression') &&
    member.object === call &&
    isType(outer, 'CallExpression') &&
    outer.callee === member &&
    /^(?:get|all|run|iterate)$/.test(lastName(calleeOf(outer))) &&
    children(outer, 'arguments').length === 0
  return isRun ? { start: outer.range[1] - 1, end: outer.range[1] - 1, isNew: false } : null
}
