import type { ScriptContext } from '../context.js'
import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, isType, spanOf, type ScriptNode } from '../nodes.js'
import { walk } from '../walk.js'
import type { Edit } from '../../../fix/edits.js'
import { sqlPiecesOf } from './sql.js'
import { createScriptValues } from './values.js'

const plainFields =
  /\.(?:length|textContent|innerText)$|(?:^|\.)(?:e|err|error|ex|exception|reason)\.message$|(?:input|field|textarea|select|box|target|element|getElementById\(\)|querySelector\(\))\.value$/i
const plainCalls =
  /\.(?:toFixed|toLocaleString|toLocaleDateString|toLocaleTimeString|toISOString|getAttribute)$/
const addresses = /^(?:window\.|document\.)?location\.(?:hash|search|href|pathname|host|hostname)$/

/** A value that nobody writes markup into: a number, a date, what somebody typed, what an error says. */
function isPlainValue(start: ScriptNode, script: ScriptContext, steps = 0): boolean {
  const node = bare(start)
  if (node === null || steps > 4) return false
  if (isType(node, 'CallExpression')) {
    const callee = calleeOf(node)
    const isDecoded = /^decodeURI(?:Component)?$/.test(callee)
    const [argument] = node.arguments as ScriptNode[]
    return isDecoded && argument !== undefined
      ? isPlainValue(argument, script, steps + 1)
      : plainCalls.test(callee) ||
          (/(?:params|searchParams|query)\w*\.get$/i.test(callee) && lastName(callee) === 'get')
  }
  if (isType(node, 'MemberExpression')) return plainFields.test(dotted(node)) || addresses.test(dotted(node))
  const init = isType(node, 'Identifier') ? script.initOf(node) : null
  return (
    init !== null && isType(child(init.parent, 'id'), 'Identifier') && isPlainValue(init, script, steps + 1)
  )
}

/** Texts without markup that were set as markup. */
export function* plainTexts(root: ScriptNode, script: ScriptContext): Generator<Edit> {
  const values = createScriptValues(script)
  for (const node of walk(root)) {
    if (!isType(node, 'AssignmentExpression') || node.operator !== '=') continue
    const left = child(node, 'left')
    const key = child(left, 'property')
    const right = child(node, 'right')
    if (!isType(left, 'MemberExpression') || left.computed === true || key?.name !== 'innerHTML') continue
    const pieces = right === null ? null : sqlPiecesOf(right)
    const fixed = pieces?.map((piece) => ('text' in piece ? piece.text : '')).join('') ?? ''
    // Without a word of its own the text may be anything, a page for instance.
    if (pieces === null || /[<>&]/.test(fixed) || !/[\p{L}\p{N}]/u.test(fixed)) continue
    const open = pieces.flatMap((piece) => ('value' in piece ? [piece.value] : []))
    if (open.length === 0 || !open.every((each) => values.isNumber(each) || isPlainValue(each, script))) {
      continue
    }
    // The value of the assignment is used as well.
    if (!isType(node.parent, 'ExpressionStatement')) continue
    yield {
      ruleId: 'js/unescaped-markup',
      description: 'Set the text as text, not as markup (textContent).',
      ...spanOf(key),
      text: 'textContent'
    }
  }
}
