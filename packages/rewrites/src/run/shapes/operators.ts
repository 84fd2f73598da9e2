import ts from 'typescript'
import { createShape, find, note, noteFallback, noteTested, unify, type Kind, type Shape } from '../shape.js'
import { isNothing, literal } from './literals.js'
import type { Reader, Scope } from './reader.js'

const arithmetic = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
  ts.SyntaxKind.MinusEqualsToken,
  ts.SyntaxKind.AsteriskEqualsToken,
  ts.SyntaxKind.SlashEqualsToken,
  ts.SyntaxKind.PercentEqualsToken
])
const orders = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken
])
const equalities = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken
])

export function compareWith(reader: Reader, shape: Shape, other: ts.Expression, scope: Scope): void {
  const value = literal(other)
  if (isNothing(other)) find(shape).isNullable ||= !find(shape).isTyped
  else if (value !== undefined) {
    note(shape, typeof value as Kind)
    find(shape).values.add(value)
  } else if (other.kind === ts.SyntaxKind.TrueKeyword || other.kind === ts.SyntaxKind.FalseKeyword) {
    note(shape, 'boolean')
  } else unify(shape, reader.read(other, scope))
}

function readEquality(reader: Reader, node: ts.BinaryExpression, scope: Scope): void {
  const { left, right } = node
  const [kind, asked] = ts.isTypeOfExpression(left)
    ? [literal(right), left]
    : ts.isTypeOfExpression(right)
      ? [literal(left), right]
      : []
  if (asked !== undefined) {
    const shape = reader.read(asked.expression, scope)
    if (kind === 'undefined') find(shape).isNullable ||= !find(shape).isTyped
    else if (
      kind === 'string' ||
      kind === 'number' ||
      kind === 'boolean' ||
      kind === 'object' ||
      kind === 'function'
    ) {
      note(shape, kind)
    }
    // Asked for its type, it may be of another one.
    if (!find(shape).isTyped) note(shape, 'string', 'number')
    return
  }
  if (literal(left) !== undefined || isNothing(left)) {
    compareWith(reader, reader.read(right, scope), left, scope)
  } else compareWith(reader, reader.read(left, scope), right, scope)
}

export function readBinary(reader: Reader, node: ts.BinaryExpression, scope: Scope): Shape {
  const operator = node.operatorToken.kind
  // Only NaN differs from itself.
  const isSelf = node.left.getText(reader.source) === node.right.getText(reader.source)
  if (isSelf && (equalities.has(operator) || orders.has(operator))) {
    note(reader.read(node.left, scope), 'nan')
  }
  if (equalities.has(operator)) {
    readEquality(reader, node, scope)
    return createShape('boolean')
  }
  const left = reader.read(node.left, scope)
  const right = reader.read(node.right, scope)
  const [leftValue, rightValue] = [literal(node.left), literal(node.right)]
  if (arithmetic.has(operator)) {
    for (const each of [left, right]) note(each, 'number')
    return createShape('number')
  }
  if (orders.has(operator)) {
    if (typeof rightValue === 'number') find(left).values.add(rightValue)
    if (typeof leftValue === 'number') find(right).values.add(leftValue)
    const isText = typeof (rightValue ?? leftValue) === 'string'
    for (const each of [left, right]) {
      if (!find(each).kinds.has('date') && !find(each).kinds.has('string')) {
        note(each, isText ? 'string' : 'number')
      }
    }
    return createShape('boolean')
  }
  switch (operator) {
    case ts.SyntaxKind.PlusToken:
    case ts.SyntaxKind.PlusEqualsToken:
      return plus(left, right)
    case ts.SyntaxKind.AmpersandAmpersandToken:
      noteTested(left)
      return right
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken: {
      noteTested(left)
      const fallback = find(right)
      if (!fallback.kinds.has('boolean')) noteFallback(left, right)
      return left
    }
    case ts.SyntaxKind.InKeyword:
      note(right, 'dict')
      note(left, 'string')
      return createShape('boolean')
    case ts.SyntaxKind.InstanceOfKeyword: {
      const name = node.right.getText(reader.source)
      const kind = (
        {
          Date: 'date',
          Error: 'error',
          Map: 'map',
          Set: 'set',
          RegExp: 'regexp',
          Array: 'array'
        } as Record<string, Kind>
      )[name]
      if (kind !== undefined) note(left, kind)
      return createShape('boolean')
    }
    case ts.SyntaxKind.EqualsToken:
      noteFallback(left, right)
      if (
        ts.isPropertyAccessExpression(node.left) &&
        node.left.expression.kind === ts.SyntaxKind.ThisKeyword
      ) {
        unify(left, right)
      }
      return right
    default:
      return right
  }
}

function plus(left: Shape, right: Shape): Shape {
  for (const [one, other] of [
    [left, right],
    [right, left]
  ] as const) {
    if (find(one).kinds.has('string')) {
      if (find(other).kinds.size === 0) note(other, 'string', 'number')
      return createShape('string')
    }
  }
  for (const [one, other] of [
    [left, right],
    [right, left]
  ] as const) {
    if (find(one).kinds.has('number') && find(other).kinds.size === 0) note(other, 'number')
  }
  return createShape(...find(left).kinds)
}
