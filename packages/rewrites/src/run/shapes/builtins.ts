import type ts from 'typescript'
import { createShape, elementOf, find, note, noteSequence, type Shape } from '../shape.js'
import { readArguments } from './arguments.js'
import type { Reader, Scope } from './reader.js'

export function convert(name: string, list: Shape[]): Shape {
  const [first] = list
  if (first === undefined) return createShape()
  switch (name) {
    case 'Number':
    case 'parseInt':
    case 'parseFloat':
      note(first, 'string', 'number')
      return createShape('number')
    case 'isNaN':
    case 'isFinite':
      note(first, 'number', 'nan')
      return createShape('boolean')
    case 'String':
    case 'encodeURIComponent':
    case 'decodeURIComponent':
    case 'encodeURI':
      note(first, 'string')
      return createShape('string')
    case 'setTimeout':
    case 'setInterval':
      if (list[1] !== undefined) note(list[1], 'number')
      note(first, 'function')
      return createShape()
    case 'BigInt':
      note(first, 'number')
      return createShape('bigint')
    default:
      return createShape()
  }
}

export function readBuiltinCall(
  reader: Reader,
  object: string,
  method: string,
  node: ts.CallExpression,
  scope: Scope
): Shape {
  const list = readArguments(reader, node, scope)
  const [first] = list
  if (first === undefined) {
    return createShape(...(object === 'Math' || object === 'Date' ? ['number' as const] : []))
  }
  switch (`${object}.${method}`) {
    case 'Object.keys':
    case 'Object.values':
    case 'Object.entries': {
      if (find(first).props.size === 0) note(first, 'dict')
      const result = createShape('array')
      result.element =
        method === 'keys'
          ? createShape('string')
          : method === 'values'
            ? elementOf(first)
            : createShape('array')
      return result
    }
    case 'Object.assign':
      for (const each of list) note(each, 'object')
      return first
    case 'Array.isArray':
      // Asked for its kind, it may be of another one.
      note(first, 'array', 'number', 'string')
      return createShape('boolean')
    case 'Array.from':
      noteSequence(first)
      return first
    case 'Number.isNaN':
    case 'Number.isFinite':
    case 'Number.isInteger':
    case 'Number.isSafeInteger':
      note(first, 'number', 'nan')
      return createShape('boolean')
    case 'Number.parseInt':
    case 'Number.parseFloat':
      return convert('Number', list)
    case 'JSON.parse':
      note(first, 'json')
      return createShape()
    case 'Promise.all':
    case 'Promise.allSettled':
    case 'Promise.race':
    case 'Promise.any': {
      note(first, 'array')
      find(elementOf(first)).isAwaited = true
      return first
    }
    case 'Date.parse':
      note(first, 'string')
      return createShape('number')
    default:
      if (object === 'Math') for (const each of list) note(each, 'number')
      return object === 'Math' ? createShape('number') : createShape()
  }
}
