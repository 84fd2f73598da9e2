import ts from 'typescript'
import { createShape, elementOf, find, note, noteFallback, propOf, type Shape } from '../shape.js'
import type { Reader, Scope } from './reader.js'

export function bind(reader: Reader, name: ts.BindingName, shape: Shape, scope: Scope): void {
  if (ts.isIdentifier(name)) {
    scope.at(-1)!.set(name.text, shape)
    return
  }
  note(shape, ts.isArrayBindingPattern(name) ? 'array' : 'object')
  for (const element of name.elements) {
    if (ts.isOmittedExpression(element)) continue
    const key = element.propertyName ?? element.name
    const part =
      element.dotDotDotToken !== undefined
        ? createShape()
        : ts.isArrayBindingPattern(name)
          ? elementOf(shape)
          : propOf(
              shape,
              ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : key.getText(reader.source)
            )
    if (element.initializer !== undefined) {
      find(part).isNullable = true
      noteFallback(part, reader.read(element.initializer, scope))
    }
    bind(reader, element.name, part, scope)
  }
}

/** Every function has its parameters before any of them is called. */
export function declare(reader: Reader, node: ts.Node, scope: Scope): void {
  if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
    scope.at(-1)!.set(node.name.text, reader.names.functionShape(node))
  }
  if (ts.isClassDeclaration(node) && node.name !== undefined) {
    scope.at(-1)!.set(node.name.text, createShape('function'))
  }
  if (ts.isImportDeclaration(node)) {
    const from = reader.names.moduleOf((node.moduleSpecifier as ts.StringLiteral).text)
    const clause = node.importClause
    if (clause?.name !== undefined) scope.at(-1)!.set(clause.name.text, propOf(from, 'default'))
    const bindings = clause?.namedBindings
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
      scope.at(-1)!.set(bindings.name.text, from)
    } else {
      for (const each of bindings?.elements ?? []) {
        scope.at(-1)!.set(each.name.text, propOf(from, (each.propertyName ?? each.name).text))
      }
    }
  }
}
