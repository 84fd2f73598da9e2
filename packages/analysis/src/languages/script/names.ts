import { remember } from '../../remember.js'
import { bare, child, children, isType, textOf, type ScriptNode } from './nodes.js'

/**
 * `a`, `a.b.c`, `this.a`, `a['b']`; what is called or computed on the way reads `()` or `[]`. Empty for
 * anything else.
 */
export function dotted(start: ScriptNode | null | undefined): string {
  const node = bare(start)
  if (node === null) return ''
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
    case 'PrivateIdentifier':
      return String(node.name)
    case 'ThisExpression':
      return 'this'
    case 'Super':
      return 'super'
    case 'MemberExpression': {
      const property = child(node, 'property')
      const literal = textOf(property)
      const key = node.computed !== true ? dotted(property) : (literal ?? '[]')
      return `${dotted(child(node, 'object'))}.${key}`
    }
    case 'CallExpression':
      return `${dotted(child(node, 'callee'))}()`
    case 'AwaitExpression':
      return dotted(child(node, 'argument'))
    default:
      return ''
  }
}

/** Remembered, because most rules of ours ask every call for its name. */
export const calleeOf = remember((call: ScriptNode): string => dotted(child(call, 'callee')))

/** Last name of a dotted path: `query` of `db.client.query`. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

/** Value of a property of an object literal. */
export function propertyOf(object: ScriptNode | null | undefined, name: string): ScriptNode | null {
  if (!isType(object, 'ObjectExpression')) return null
  const property = children(object, 'properties').find((each) => keyOf(each) === name)
  return child(property, 'value')
}

export function keyOf(property: ScriptNode): string {
  const key = child(property, 'key')
  if (property.computed === true) return textOf(key) ?? ''
  return textOf(key) ?? dotted(key)
}
