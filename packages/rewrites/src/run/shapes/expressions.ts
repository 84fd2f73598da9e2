import ts from 'typescript'
import { builtins } from '../method-tables.js'
import {
  createShape,
  elementOf,
  find,
  note,
  noteFallback,
  noteSequence,
  noteTested,
  propOf,
  unify,
  type Kind,
  type Shape
} from '../shape.js'
import { readCall, readConstruction } from './calls.js'
import { literal } from './literals.js'
import { readBinary } from './operators.js'
import type { Reader, Scope } from './reader.js'

function property(target: Shape, name: string): Shape {
  if (name === 'length') {
    if (find(target).kinds.size === 0) noteSequence(target)
    return createShape('number')
  }
  if (name === 'size' && (find(target).kinds.has('map') || find(target).kinds.has('set'))) {
    return createShape('number')
  }
  if (!find(target).kinds.has('array') && !find(target).kinds.has('string')) note(target, 'object')
  return propOf(target, name)
}

export function readExpression(reader: Reader, node: ts.Expression, scope: Scope): Shape {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
    return reader.read(node.expression, scope)
  }
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node)) {
    const inner = reader.read(node.expression, scope)
    const written = reader.typeOf(node.type)
    if (written.isTyped && !find(inner).isTyped && node.type.getText(reader.source) !== 'const') {
      unify(inner, written)
    }
    return inner
  }
  if (ts.isIdentifier(node)) return reader.names.lookup(node.text, scope)
  const value = literal(node)
  if (value !== undefined) return createShape(typeof value as Kind)
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    return createShape('boolean')
  }
  if (node.kind === ts.SyntaxKind.ThisKeyword) return reader.classes.at(-1) ?? createShape()
  if (ts.isTemplateExpression(node)) {
    for (const span of node.templateSpans) {
      const shape = reader.read(span.expression, scope)
      if (find(shape).kinds.size === 0 && find(shape).props.size === 0) note(shape, 'string')
    }
    return createShape('string')
  }
  if (ts.isCallExpression(node)) return readCall(reader, node, scope)
  if (ts.isNewExpression(node)) return readConstruction(reader, node, scope)
  if (ts.isBinaryExpression(node)) return readBinary(reader, node, scope)
  if (ts.isPropertyAccessExpression(node)) {
    if (
      ts.isIdentifier(node.expression) &&
      builtins.has(node.expression.text) &&
      node.expression.text !== 'exports' &&
      node.expression.text !== 'module'
    ) {
      return createShape()
    }
    const target = reader.read(node.expression, scope)
    if (node.questionDotToken !== undefined) find(target).isNullable ||= !find(target).isTyped
    return property(target, node.name.text)
  }
  if (ts.isElementAccessExpression(node)) {
    const target = reader.read(node.expression, scope)
    const key = literal(node.argumentExpression)
    if (typeof key === 'string') return property(target, key)
    const index = reader.read(node.argumentExpression, scope)
    if (find(target).kinds.has('string')) return createShape('string')
    const isIndex =
      typeof key === 'number' ||
      find(index).kinds.has('number') ||
      find(target).kinds.has('array') ||
      find(target).isSequence
    if (isIndex) noteSequence(target)
    else note(target, 'dict')
    note(index, isIndex ? 'number' : 'string')
    return elementOf(target)
  }
  if (ts.isAwaitExpression(node)) {
    const shape = reader.read(node.expression, scope)
    find(shape).isAwaited = true
    return shape
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const shape = reader.read(node.operand, scope)
    if (node.operator === ts.SyntaxKind.ExclamationToken) {
      noteTested(shape)
      return createShape('boolean')
    }
    note(shape, 'number')
    return createShape('number')
  }
  if (ts.isConditionalExpression(node)) {
    noteTested(reader.read(node.condition, scope))
    const [whenTrue, whenFalse] = [reader.read(node.whenTrue, scope), reader.read(node.whenFalse, scope)]
    return find(whenTrue).kinds.size > 0 || find(whenTrue).props.size > 0 ? whenTrue : whenFalse
  }
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
    const shape = reader.names.functionShape(node)
    shape.result = reader.readBody(node, scope)
    return shape
  }
  if (ts.isClassExpression(node)) {
    reader.readClass(node, scope)
    return createShape('function')
  }
  if (ts.isArrayLiteralExpression(node)) {
    const shape = createShape('array')
    for (const each of node.elements) {
      if (!ts.isSpreadElement(each)) noteFallback(elementOf(shape), reader.read(each, scope))
      else {
        const spread = reader.read(each.expression, scope)
        if (!find(spread).kinds.has('set')) noteSequence(spread)
        noteFallback(elementOf(shape), elementOf(spread))
      }
    }
    return shape
  }
  if (ts.isObjectLiteralExpression(node)) {
    const shape = createShape('object')
    for (const each of node.properties) {
      if (ts.isSpreadAssignment(each)) note(reader.read(each.expression, scope), 'object')
      else if (ts.isShorthandPropertyAssignment(each)) reader.names.lookup(each.name.text, scope)
      else if (ts.isPropertyAssignment(each)) reader.read(each.initializer, scope)
      else reader.readBody(each, scope)
    }
    return shape
  }
  if (ts.isRegularExpressionLiteral(node)) return createShape('regexp')
  ts.forEachChild(node, (each) => reader.readStatement(each, scope))
  return createShape()
}
