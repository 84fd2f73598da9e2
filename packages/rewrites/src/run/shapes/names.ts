import ts from 'typescript'
import { builtins } from '../method-tables.js'
import { createShape, type Shape } from '../shape.js'

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

export function createNames(typeOf: (node: ts.TypeNode | undefined) => Shape): Names {
  const params = new Map<ts.Node, Shape[]>()
  const functions = new Map<Shape, ts.SignatureDeclaration>()
  const free = new Map<string, Shape>()
  const modules = new Map<string, Shape>()

  function paramsOf(node: ts.SignatureDeclaration): Shape[] {
    const known = params.get(node)
    if (known !== undefined) return known
    const list = node.parameters.map((each) => {
      // What JSDoc says of a parameter counts as a written type.
      const shape = typeOf(each.type ?? ts.getJSDocType(each))
      const isOptional = ts.getJSDocParameterTags(each).some(({ isBracketed }) => isBracketed)
      if (each.questionToken !== undefined || each.initializer !== undefined || isOptional) {
        shape.isNullable = true
      }
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
