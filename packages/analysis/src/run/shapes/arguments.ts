import ts from 'typescript'
import type { Shape } from '../shape.js'
import type { Reader, Scope } from './reader.js'

export function readArguments(
  reader: Reader,
  node: ts.CallExpression | ts.NewExpression,
  scope: Scope
): Shape[] {
  return (node.arguments ?? []).map((each) =>
    reader.read(ts.isSpreadElement(each) ? each.expression : each, scope)
  )
}

/** The parameters of a function that is written where it is passed. */
export function inlineParams(reader: Reader, node: ts.Expression | undefined): Shape[] | null {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
    ? reader.names.paramsOf(node)
    : null
}
