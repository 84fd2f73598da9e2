import type ts from 'typescript'
import type { Shape } from '../shape.js'
import type { Names, Scope } from './names.js'

export type { Scope }

/** Walks over the code. Expressions, statements and functions contain each other, so each is reached from here. */
export interface Reader {
  readonly source: ts.SourceFile
  /** A shape by a written type. */
  readonly typeOf: (node: ts.TypeNode | undefined) => Shape
  readonly names: Names
  /** `this` of the classes that are being read, the innermost last. */
  readonly classes: Shape[]
  /** What the functions that are being read return, the innermost last. */
  readonly results: Shape[]
  read: (node: ts.Expression, scope: Scope) => Shape
  readStatement: (node: ts.Node, scope: Scope) => void
  /** @returns what the function gives */
  readBody: (node: ts.FunctionLikeDeclaration, scope: Scope) => Shape
  readClass: (node: ts.ClassLikeDeclaration, scope: Scope) => void
}
