import ts from 'typescript'
import {
  dateMethods,
  elementFirst,
  functionMethods,
  gives,
  keyedMethods,
  listMethods,
  numberMethods,
  promiseMethods,
  sharedMethods,
  textMethods
} from '../method-tables.js'
import {
  createShape,
  elementOf,
  find,
  note,
  noteFallback,
  noteSequence,
  propOf,
  resultOf,
  unify,
  type Shape
} from '../shape.js'
import { inlineParams, readArguments } from './arguments.js'
import { literal } from './literals.js'
import { compareWith } from './operators.js'
import type { Reader, Scope } from './reader.js'

export function readMethodCall(
  reader: Reader,
  target: Shape,
  method: string,
  node: ts.CallExpression,
  scope: Scope
): Shape {
  const own = find(target)
  const [first, second] = node.arguments
  if (own.props.has(method) && own.isTyped) {
    readArguments(reader, node, scope)
    return resultOf(propOf(target, method))
  }
  if (promiseMethods.has(method)) {
    own.isAwaited = true
    const given = inlineParams(reader, first)?.[0]
    if (given !== undefined && method === 'then') unify(target, given)
    readArguments(reader, node, scope)
    const rest = createShape()
    rest.isAwaited = true
    return rest
  }
  // Nobody waits for what an array gives: this is a method of something else.
  const isList = listMethods.has(method) && !ts.isAwaitExpression(node.parent)
  if (isList || (own.kinds.has('array') && sharedMethods.has(method))) {
    return readListCall(reader, target, method, node, scope)
  }
  const isText = textMethods.has(method)
  if (isText || numberMethods.has(method) || dateMethods.has(method)) {
    note(target, isText ? 'string' : numberMethods.has(method) ? 'number' : 'date')
    readArguments(reader, node, scope)
    return method === 'split'
      ? listOf(createShape('string'))
      : createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
  }
  if (sharedMethods.has(method)) {
    const given = first === undefined ? undefined : reader.read(first, scope)
    if (own.kinds.size === 0) {
      const isText = typeof (first === undefined ? undefined : literal(first)) === 'string'
      // A string that is searched for may be part of a string or of an array.
      if (isText && method === 'concat') note(target, 'string')
      else noteSequence(target)
    }
    if (
      (find(target).kinds.has('array') || find(target).isSequence) &&
      given !== undefined &&
      /^(?:includes|indexOf|lastIndexOf)$/.test(method)
    ) {
      unify(elementOf(target), given)
    }
    return method === 'slice' || method === 'concat'
      ? target
      : createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
  }
  if (
    keyedMethods.has(method) &&
    node.arguments.length <= 2 &&
    (own.kinds.has('map') || own.kinds.has('set'))
  ) {
    readArguments(reader, node, scope)
    return method === 'get' ? elementOf(target) : createShape()
  }
  if (functionMethods.has(method) && own.props.size === 0) {
    note(target, 'function')
    readArguments(reader, node, scope)
    return method === 'bind' ? target : resultOf(target)
  }
  note(target, 'object')
  const shape = propOf(target, method)
  note(shape, 'function')
  readArguments(reader, node, scope)
  find(shape).callback ??=
    inlineParams(reader, second) ?? inlineParams(reader, first) ?? inlineParams(reader, node.arguments.at(-1))
  return resultOf(shape)
}

function listOf(element: Shape): Shape {
  const shape = createShape('array')
  shape.element = element
  return shape
}

function readListCall(
  reader: Reader,
  target: Shape,
  method: string,
  node: ts.CallExpression,
  scope: Scope
): Shape {
  note(target, 'array')
  const [first, second] = node.arguments
  const given = inlineParams(reader, first)
  if (elementFirst.has(method)) {
    for (const [index, each] of (given ?? []).entries()) {
      if (index === 0 || /ort/.test(method)) unify(elementOf(target), each)
    }
  }
  if (/^reduce/.test(method) && given !== null) {
    if (given[1] !== undefined) unify(elementOf(target), given[1])
    const start = second === undefined ? elementOf(target) : reader.read(second, scope)
    if (given[0] !== undefined) unify(given[0], start)
  }
  const list = readArguments(reader, node, scope)
  if (/^(?:push|unshift)$/.test(method)) for (const each of list) noteFallback(elementOf(target), each)
  if (/^(?:includes|indexOf|lastIndexOf)$/.test(method) && list[0] !== undefined && first !== undefined) {
    if (literal(first) === undefined) unify(elementOf(target), list[0])
    else compareWith(reader, elementOf(target), first, scope)
  }
  if (/^(?:find|findLast|pop|shift|at)$/.test(method)) return elementOf(target)
  if (/^(?:filter|slice|sort|reverse|concat|toSorted|toReversed|fill|splice)$/.test(method)) return target
  if (method === 'map' || method === 'flatMap') {
    return listOf(
      first !== undefined &&
        (ts.isArrowFunction(first) || ts.isFunctionExpression(first)) &&
        !ts.isBlock(first.body)
        ? createShape(...(find(list[0] ?? createShape()).result?.kinds ?? []))
        : createShape()
    )
  }
  return createShape(...(gives[method] === undefined ? [] : [gives[method]!]))
}
