import ts from 'typescript'
import { builtins } from '../method-tables.js'
import { createShape, elementOf, find, note, resultOf, unify, type Kind, type Shape } from '../shape.js'
import { convert, readBuiltinCall } from './builtins.js'
import { inlineParams, readArguments } from './arguments.js'
import { literal } from './literals.js'
import { readMethodCall } from './method-calls.js'
import type { Reader, Scope } from './reader.js'

export function readCall(reader: Reader, node: ts.CallExpression, scope: Scope): Shape {
  const callee = ts.skipPartiallyEmittedExpressions(node.expression)
  const [first] = node.arguments
  if (
    ts.isIdentifier(callee) &&
    callee.text === 'require' &&
    first !== undefined &&
    ts.isStringLiteral(first)
  ) {
    return reader.names.moduleOf(first.text)
  }
  if (
    ts.isIdentifier(callee) &&
    builtins.has(callee.text) &&
    reader.names.lookup(callee.text, scope) !== scope[0]?.get(callee.text)
  ) {
    return convert(callee.text, readArguments(reader, node, scope))
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const {
      expression: object,
      name: { text: method }
    } = callee
    if (
      ts.isIdentifier(object) &&
      builtins.has(object.text) &&
      !scope.some((level) => level.has(object.text))
    ) {
      return readBuiltinCall(reader, object.text, method, node, scope)
    }
    const target = reader.read(object, scope)
    if (callee.questionDotToken !== undefined) find(target).isNullable ||= !find(target).isTyped
    return readMethodCall(reader, target, method, node, scope)
  }
  const shape = reader.read(callee, scope)
  note(shape, 'function')
  const local = reader.names.functionOf(find(shape))
  if (local !== undefined) {
    for (const [index, each] of readArguments(reader, node, scope).entries()) {
      const param = reader.names.paramsOf(local)[index]
      if (
        param !== undefined &&
        node.arguments[index] !== undefined &&
        literal(node.arguments[index]) === undefined
      ) {
        unify(param, each)
      }
    }
    return createShape(...find(resultOf(shape)).kinds)
  }
  readArguments(reader, node, scope)
  find(shape).callback ??=
    node.arguments.map((each) => inlineParams(reader, each)).find((each) => each !== null) ?? null
  return resultOf(shape)
}

export function readConstruction(reader: Reader, node: ts.NewExpression, scope: Scope): Shape {
  const name = node.expression.getText(reader.source)
  const [first] = readArguments(reader, node, scope)
  const kind = (
    { Map: 'map', Set: 'set', Date: 'date', RegExp: 'regexp', Array: 'array', Error: 'error' } as Record<
      string,
      Kind
    >
  )[name]
  if (kind === 'set' && first !== undefined) {
    note(first, 'array')
    const shape = createShape('set')
    shape.element = elementOf(first)
    return shape
  }
  if (kind !== undefined) return createShape(kind)
  if (builtins.has(name)) return createShape()
  const shape = reader.read(node.expression, scope)
  note(shape, 'function')
  return resultOf(shape)
}
