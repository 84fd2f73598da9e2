import ts from 'typescript'
import {
  createShape,
  elementOf,
  note,
  noteFallback,
  noteSequence,
  noteTested,
  propOf,
  unify,
  type Shape
} from '../shape.js'
import { bind, declare } from './bindings.js'
import { compareWith } from './operators.js'
import type { Reader, Scope } from './reader.js'

export function readStatements(reader: Reader, list: readonly ts.Node[], scope: Scope): void {
  for (const each of list) declare(reader, each, scope)
  for (const each of list) reader.readStatement(each, scope)
}

export function readStatement(reader: Reader, node: ts.Node, scope: Scope): void {
  if (ts.isFunctionDeclaration(node)) reader.readBody(node, scope)
  else if (ts.isClassLike(node)) reader.readClass(node, scope)
  else if (ts.isBlock(node)) readStatements(reader, node.statements, [...scope, new Map()])
  else if (ts.isVariableDeclaration(node)) readVariable(reader, node, scope)
  else if (ts.isForOfStatement(node)) {
    const list = reader.read(node.expression, scope)
    noteSequence(list)
    const inner: Scope = [...scope, new Map()]
    if (ts.isVariableDeclarationList(node.initializer)) {
      bind(reader, node.initializer.declarations[0]!.name, elementOf(list), inner)
    }
    reader.readStatement(node.statement, inner)
  } else if (ts.isForInStatement(node)) {
    note(reader.read(node.expression, scope), 'dict')
    const inner: Scope = [...scope, new Map()]
    if (ts.isVariableDeclarationList(node.initializer)) {
      bind(reader, node.initializer.declarations[0]!.name, createShape('string'), inner)
    }
    reader.readStatement(node.statement, inner)
  } else if (ts.isForStatement(node)) ts.forEachChild(node, (each) => reader.readStatement(each, scope))
  else if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
    noteTested(reader.read(node.expression, scope))
    ts.forEachChild(node, (each) => {
      if (each !== node.expression) reader.readStatement(each, scope)
    })
  } else if (ts.isReturnStatement(node)) {
    if (node.expression === undefined) return
    const shape = reader.read(node.expression, scope)
    const result = reader.results.at(-1)
    if (result !== undefined) noteFallback(result, shape)
  } else if (ts.isSwitchStatement(node)) {
    const value = reader.read(node.expression, scope)
    for (const clause of node.caseBlock.clauses) {
      if (ts.isCaseClause(clause)) compareWith(reader, value, clause.expression, scope)
      readStatements(reader, clause.statements, scope)
    }
  } else if (ts.isCatchClause(node)) {
    const inner: Scope = [...scope, new Map()]
    if (node.variableDeclaration !== undefined) {
      bind(reader, node.variableDeclaration.name, createShape(), inner)
    }
    reader.readStatement(node.block, inner)
  } else if (ts.isExpression(node)) reader.read(node, scope)
  else if (
    !ts.isTypeNode(node) &&
    !ts.isInterfaceDeclaration(node) &&
    !ts.isTypeAliasDeclaration(node) &&
    !ts.isImportDeclaration(node)
  ) {
    ts.forEachChild(node, (each) => reader.readStatement(each, scope))
  }
}

function readVariable(reader: Reader, node: ts.VariableDeclaration, scope: Scope): void {
  const written = reader.typeOf(node.type)
  const value = node.initializer === undefined ? createShape() : reader.read(node.initializer, scope)
  if (written.isTyped) unify(written, value)
  bind(reader, node.name, node.initializer === undefined ? written : value, scope)
}

export function readBody(reader: Reader, node: ts.FunctionLikeDeclaration, scope: Scope): Shape {
  const inner: Scope = [...scope, new Map()]
  const list = reader.names.paramsOf(node)
  const result = createShape()
  for (const [index, each] of node.parameters.entries()) {
    const shape = list[index]!
    if (each.initializer !== undefined) noteFallback(shape, reader.read(each.initializer, inner))
    if (each.dotDotDotToken !== undefined) note(shape, 'array')
    bind(reader, each.name, shape, inner)
  }
  if (node.body === undefined) return result
  if (ts.isBlock(node.body)) {
    reader.results.push(result)
    readStatements(reader, node.body.statements, inner)
    reader.results.pop()
    return result
  }
  return reader.read(node.body, inner)
}

export function readClass(reader: Reader, node: ts.ClassLikeDeclaration, scope: Scope): void {
  const self = createShape('object')
  reader.classes.push(self)
  for (const member of node.members) {
    if (ts.isPropertyDeclaration(member)) {
      if (member.initializer !== undefined) {
        unify(propOf(self, member.name.getText(reader.source)), reader.read(member.initializer, scope))
      }
    } else if (
      ts.isMethodDeclaration(member) ||
      ts.isConstructorDeclaration(member) ||
      ts.isAccessor(member)
    ) {
      if (member.name !== undefined) propOf(self, member.name.getText(reader.source)).kinds.add('function')
      reader.readBody(member, scope)
      if (!ts.isConstructorDeclaration(member)) continue
      for (const [index, each] of member.parameters.entries()) {
        if (each.modifiers !== undefined && ts.isIdentifier(each.name)) {
          unify(propOf(self, each.name.text), reader.names.paramsOf(member)[index]!)
        }
      }
    }
  }
  reader.classes.pop()
}
