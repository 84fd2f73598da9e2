import ts from 'typescript'
import { elementOf, find, noteSequence, type Shape } from '../shape.js'
import type { Reader, Scope } from './reader.js'

export function readArguments(
  reader: Reader,
  node: ts.CallExpression | ts.NewExpression,
  scope: Scope
): Shape[] {
  return (node.arguments ?? []).map((each) => {
    if (!ts.isSpreadElement(each)) return reader.read(each, scope)
    const spread = reader.read(each.expression, scope)
    if (!find(spread).kinds.has('set')) noteSequence(spread)
    return elementOf(spread)
  })
}

/** The parameters of a function that is written where it is passed. */
export function inlineParams(reader: Reader, node: ts.Expression | undefined): Shape[] | null {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
    ? reader.names.paramsOf(node)
    : null
}
