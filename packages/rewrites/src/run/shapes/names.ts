import ts from 'typescript'
import { builtins } from '../method-tables.js'
import { createShape, type Shape } from '../shape.js'
import { makeOptional } from '../typed-shapes.js'

/** Declared names, the innermost block last. */
export type Scope = Map<string, Shape>[]

/** What the names of the code stand for. */
export interface Names {
  /** Names that the code uses and nobody declares. */
  readonly free: ReadonlyMap<string, Shape>
  /** What the code imports, by module. */
  readonly modules: ReadonlyMap<string, Shape>
  moduleOf: (name: string) => Shape
  lookup: (name: string, scope: Scope) => Shape
  /** Parameters of a function, in order. */
  paramsOf: (node: ts.SignatureDeclaration) => Shape[]
  functionShape: (node: ts.SignatureDeclaration) => Shape
  /** The function of the code that a shape stands for. */
  functionOf: (shape: Shape) => ts.SignatureDeclaration | undefined
}

/** What `@type` says of a function that is assigned to something. */
function typeOfFunction(node: ts.SignatureDeclaration): ts.FunctionTypeNode | undefined {
  let host: ts.Node = node
  while (!ts.isStatement(host)) {
    const type = ts.getJSDocTypeTag(host)?.typeExpression.type
    if (type !== undefined) return ts.isFunctionTypeNode(type) ? type : undefined
    const { parent } = host
    const isAssigned =
      ts.isBinaryExpression(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isParenthesizedExpression(parent)
    if (!isAssigned && !(ts.isVariableDeclarationList(parent) || ts.isStatement(parent))) return undefined
    host = parent
  }
  const type = ts.getJSDocTypeTag(host)?.typeExpression.type
  return type !== undefined && ts.isFunctionTypeNode(type) ? type : undefined
}

export function createNames(typeOf: (node: ts.TypeNode | undefined) => Shape): Names {
  const params = new Map<ts.Node, Shape[]>()
  const functions = new Map<Shape, ts.SignatureDeclaration>()
  const free = new Map<string, Shape>()
  const modules = new Map<string, Shape>()

  function paramsOf(node: ts.SignatureDeclaration): Shape[] {
    const known = params.get(node)
    if (known !== undefined) return known
    const whole = typeOfFunction(node)
    const list = node.parameters.map((each, index) => {
      // What JSDoc says of a parameter counts as a written type.
      const shape = typeOf(each.type ?? ts.getJSDocType(each) ?? whole?.parameters[index]?.type)
      const isOptional = ts.getJSDocParameterTags(each).some(({ isBracketed }) => isBracketed)
      if (each.questionToken !== undefined || isOptional) makeOptional(shape, 'undefined')
      if (each.initializer !== undefined) shape.isNullable = true
      return shape
    })
    params.set(node, list)
    return list
  }

  return {
    free,
    modules,
    moduleOf: (name) => {
      const known = modules.get(name) ?? createShape('object')
      modules.set(name, known)
      return known
    },
    lookup: (name, scope) => {
      for (let level = scope.length - 1; level >= 0; level--) {
        const found = scope[level]!.get(name)
        if (found !== undefined) return found
      }
      const known = free.get(name) ?? createShape()
      if (!builtins.has(name)) free.set(name, known)
      return known
    },
    paramsOf,
    functionShape: (node) => {
      const shape = createShape('function')
      functions.set(shape, node)
      paramsOf(node)
      return shape
    },
    functionOf: (shape) => functions.get(shape)
  }
}
