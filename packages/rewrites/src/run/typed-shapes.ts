import ts from 'typescript'
import { createShape, type Alternative, type Kind, type Shape } from './shape.js'

const keywords: Partial<Record<ts.SyntaxKind, Kind>> = {
  [ts.SyntaxKind.NumberKeyword]: 'number',
  [ts.SyntaxKind.StringKeyword]: 'string',
  [ts.SyntaxKind.BooleanKeyword]: 'boolean',
  [ts.SyntaxKind.BigIntKeyword]: 'bigint',
  [ts.SyntaxKind.ObjectKeyword]: 'object'
}
const named: Readonly<Record<string, Kind>> = {
  Array: 'array',
  array: 'array',
  ReadonlyArray: 'array',
  Iterable: 'array',
  Set: 'set',
  ReadonlySet: 'set',
  Map: 'map',
  ReadonlyMap: 'map',
  Record: 'dict',
  Date: 'date',
  RegExp: 'regexp',
  Error: 'error',
  Function: 'function',
  function: 'function',
  String: 'string',
  Number: 'number',
  Boolean: 'boolean'
}
const wrappers = new Set(['Readonly', 'Required', 'NonNullable', 'Awaited'])

/** Parts of one type, and of all types of the code. A type with eight properties of its own has 262,144 of them. */
const MAX_PARTS = 300
const MAX_PARTS_OF_ALL = 4_000

export type TypeReader = (type: ts.TypeNode | undefined) => Shape

/**
 * Reads the types that the code writes down. What it does not declare itself stays open, for the use to tell.
 */
export function createTypeReader(source: ts.SourceFile): TypeReader {
  const declared = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>()
  const enums = new Map<string, Shape>()
  const objects = new Map<string, string[]>()
  /** Those with `as const`. */
  const lists = new Map<string, string[]>()
  let left = 0
  let leftForAll = MAX_PARTS_OF_ALL
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      declared.set(statement.name.text, statement)
    }
    if (ts.isEnumDeclaration(statement)) enums.set(statement.name.text, enumOf(statement))
    for (const { name, initializer } of ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : []) {
      const object =
        initializer !== undefined && ts.isAsExpression(initializer) ? initializer.expression : initializer
      if (object !== undefined && ts.isArrayLiteralExpression(object) && object !== initializer) {
        lists.set(
          name.getText(source),
          object.elements.filter(ts.isStringLiteralLike).map(({ text }) => text)
        )
      }
      if (object === undefined || !ts.isObjectLiteralExpression(object)) continue
      const keys = object.properties.flatMap(({ name: key }) =>
        key !== undefined && (ts.isIdentifier(key) || ts.isStringLiteral(key)) ? [key.text] : []
      )
      objects.set(name.getText(source), keys)
    }
  }

  function typed(shape: Shape): Shape {
    shape.isTyped = true
    return shape
  }

  function members(shape: Shape, list: ts.NodeArray<ts.TypeElement>, depth: number): Shape {
    for (const member of list) {
      if (ts.isCallSignatureDeclaration(member)) {
        shape.kinds.add('function')
        shape.result = read(member.type, depth)
        continue
      }
      if (ts.isIndexSignatureDeclaration(member)) {
        shape.kinds.add('dict')
        shape.element = read(member.type, depth)
        continue
      }
      const name =
        member.name !== undefined && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
          ? member.name.text
          : null
      if (name === null) continue
      const prop = ts.isPropertySignature(member)
        ? read(member.type, depth)
        : ts.isMethodSignature(member)
          ? functionOf(member.type, depth)
          : createShape()
      if (member.questionToken !== undefined) makeOptional(prop, 'undefined')
      shape.props.set(name, prop)
    }
    if (!shape.kinds.has('dict') && !shape.kinds.has('function')) shape.kinds.add('object')
    return typed(shape)
  }

  /** The names of properties, of a declared type or of an object of the code. */
  function keysOf(type: ts.TypeNode): Shape {
    const names = ts.isTypeQueryNode(type)
      ? (objects.get(type.exprName.getText(source)) ?? [])
      : [...read(type, 1).props.keys()]
    return oneOf(names)
  }

  function oneOf(texts: readonly string[]): Shape {
    const shape = createShape()
    if (texts.length === 0) return shape
    shape.kinds.add('string')
    for (const text of texts) shape.values.add(text)
    shape.isExact = true
    return typed(shape)
  }

  /** The properties that JSDoc gives a parameter: `@param {string} [options.name]`. */
  function properties({ jsDocPropertyTags = [], isArrayType }: ts.JSDocTypeLiteral, depth: number): Shape {
    const shape = typed(createShape('object'))
    for (const tag of jsDocPropertyTags) {
      const name = ts.isQualifiedName(tag.name) ? tag.name.right.text : tag.name.text
      const prop = read(tag.typeExpression?.type, depth)
      if (tag.isBracketed) makeOptional(prop, 'undefined')
      shape.props.set(name, prop)
    }
    return isArrayType ? arrayOf(shape) : shape
  }

  function functionOf(type: ts.TypeNode | undefined, depth: number): Shape {
    const shape = typed(createShape('function'))
    shape.result = read(type, depth)
    return shape
  }

  function reference(type: ts.TypeReferenceNode, depth: number): Shape {
    const name = type.typeName.getText(source)
    const [first, second] = type.typeArguments ?? []
    if (name === 'Promise' || name === 'PromiseLike') {
      const shape = read(first, depth)
      shape.isAwaited = true
      return shape
    }
    if (wrappers.has(name)) return read(first, depth)
    if (name === 'Partial') {
      const shape = read(first, depth)
      for (const prop of shape.props.values()) makeOptional(prop, 'undefined')
      return shape
    }
    const ofEnum = enums.get(name)
    if (ofEnum !== undefined) return ofEnum
    const kind = name === 'Object' && second !== undefined ? 'dict' : named[name]
    if (kind !== undefined) {
      const shape = typed(createShape(kind))
      const element = kind === 'map' || kind === 'dict' ? second : first
      if (element !== undefined) shape.element = read(element, depth)
      return shape
    }
    const declaration = declared.get(name)
    if (declaration === undefined) return createShape()
    return ts.isTypeAliasDeclaration(declaration)
      ? read(declaration.type, depth)
      : members(createShape(), declaration.members, depth)
  }

  function union(types: ts.NodeArray<ts.TypeNode>, depth: number): Shape {
    const shape = createShape()
    let isOpen = false
    let isExact = true
    for (const type of types) {
      const nothing = nothingOf(type)
      if (nothing !== null) {
        makeOptional(shape, nothing)
        continue
      }
      const name = ts.isTypeReferenceNode(type) ? type.typeName.getText(source) : ''
      if (name === 'Buffer' || name === 'Uint8Array') {
        shape.alternatives.add('Buffer.from("x")')
        continue
      }
      // Alone, JSDoc's `Object` says little; beside a string it says that objects are passed, too.
      const part = name === 'Object' ? typed(createShape('object')) : read(type, depth)
      isOpen ||= !part.isTyped
      isExact &&= part.isExact
      for (const kind of part.kinds) shape.kinds.add(kind)
      for (const value of part.values) shape.values.add(value)
      for (const [name, prop] of part.props) shape.props.set(name, prop)
      shape.element ??= part.element
      shape.result ??= part.result
      shape.isNullable ||= part.isNullable
      for (const each of part.alternatives) shape.alternatives.add(each)
    }
    shape.isExact = isExact
    return isOpen ? shape : typed(shape)
  }

  function read(type: ts.TypeNode | undefined, depth = 0): Shape {
    if (depth === 0) left = Math.min(MAX_PARTS, leftForAll)
    if (type === undefined || depth > 6 || left <= 0) return createShape()
    left--
    leftForAll--
    const next = depth + 1
    const keyword = keywords[type.kind]
    if (keyword !== undefined) return typed(createShape(keyword))
    if (ts.isTypeOperatorNode(type) && type.operator === ts.SyntaxKind.KeyOfKeyword) return keysOf(type.type)
    if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return read(type.type, depth)
    if (ts.isArrayTypeNode(type)) return arrayOf(read(type.elementType, next))
    if (ts.isTupleTypeNode(type)) {
      const shape = arrayOf(type.elements.length > 0 ? read(type.elements[0], next) : createShape())
      if (!type.elements.some((each) => ts.isRestTypeNode(each) || ts.isOptionalTypeNode(each))) {
        shape.tuple = type.elements.map((each) => read(ts.isNamedTupleMember(each) ? each.type : each, next))
      }
      return shape
    }
    if (ts.isIndexedAccessTypeNode(type)) {
      // `(typeof MODES)[number]`
      const [, name = ''] = /^\(?typeof ([\w$]+)\)?\[number\]$/.exec(type.getText(source)) ?? []
      return oneOf(lists.get(name) ?? [])
    }
    if (ts.isUnionTypeNode(type)) return union(type.types, next)
    if (ts.isIntersectionTypeNode(type)) return union(type.types, next)
    if (ts.isTypeLiteralNode(type)) return members(createShape(), type.members, next)
    if (ts.isFunctionTypeNode(type)) return functionOf(type.type, next)
    if (ts.isTypeReferenceNode(type)) return reference(type, next)
    if (ts.isLiteralTypeNode(type)) return literal(type.literal)
    if (ts.isJSDocTypeLiteral(type)) return properties(type, next)
    if (ts.isJSDocNullableType(type) || ts.isJSDocOptionalType(type)) {
      const shape = read(type.type as ts.TypeNode, depth)
      return makeOptional(shape, ts.isJSDocNullableType(type) ? 'null' : 'undefined')
    }
    if (ts.isJSDocNonNullableType(type)) return read(type.type as ts.TypeNode, depth)
    if (ts.isJSDocVariadicType(type)) return arrayOf(read(type.type, next))
    if (ts.isJSDocFunctionType(type)) return functionOf(type.type, next)
    return createShape()
  }

  function arrayOf(element: Shape): Shape {
    const shape = typed(createShape('array'))
    shape.element = element
    return shape
  }

  function literal(node: ts.LiteralTypeNode['literal']): Shape {
    const shape = typed(createShape())
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      shape.kinds.add('boolean')
    }
    if (!ts.isStringLiteralLike(node) && !ts.isNumericLiteral(node)) return shape
    shape.kinds.add(ts.isNumericLiteral(node) ? 'number' : 'string')
    shape.values.add(ts.isNumericLiteral(node) ? Number(node.text) : node.text)
    shape.isExact = true
    return shape
  }

  return (type) => read(type)
}

/** Numbers, unless every member has a string. */
function enumOf({ members }: ts.EnumDeclaration): Shape {
  const shape = createShape()
  const texts = members.flatMap(({ initializer }) =>
    initializer !== undefined && ts.isStringLiteralLike(initializer) ? [initializer.text] : []
  )
  shape.isTyped = true
  shape.isExact = texts.length > 0 && texts.length === members.length
  shape.kinds.add(shape.isExact ? 'string' : 'number')
  if (shape.isExact) for (const text of texts) shape.values.add(text)
  return shape
}

export function makeOptional(shape: Shape, nothing: Alternative): Shape {
  shape.isNullable = true
  shape.alternatives.add(nothing)
  return shape
}

function nothingOf(type: ts.TypeNode): Alternative | null {
  const { UndefinedKeyword, VoidKeyword } = ts.SyntaxKind
  if (type.kind === UndefinedKeyword || type.kind === VoidKeyword) return 'undefined'
  return ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword ? 'null' : null
}
