import { calleeOf, dotted, keyOf } from './names.js'
import { child, children, functionTypes, isType, textOf, type ScriptNode } from './nodes.js'
import { normalize, type ExportedSignature } from '../../exports/types.js'

type TextOf = (node: ScriptNode) => string

function parametersOf(node: ScriptNode, text: TextOf): string {
  const result = child(node, 'returnType')
  return normalize(`(${children(node, 'params').map(text).join(',')})${result === null ? '' : text(result)}`)
}

function signatureOf(name: string, value: ScriptNode | null, text: TextOf): ExportedSignature[] {
  if (isType(value, ...functionTypes) || isType(value, 'TSDeclareFunction')) {
    return [{ name, kind: 'function', signature: parametersOf(value, text) }]
  }
  if (isType(value, 'ClassDeclaration', 'ClassExpression')) {
    const members = children(child(value, 'body'), 'body').flatMap((member): ExportedSignature[] => {
      const key = keyOf(member)
      const hidden =
        isType(child(member, 'key'), 'PrivateIdentifier') ||
        member.accessibility === 'private' ||
        /^_/.test(key)
      const body = child(member, 'value')
      if (hidden || key === '') return []
      if (isType(member, 'MethodDefinition') && body !== null) {
        return [{ name: `${name}.${key}`, kind: 'function', signature: parametersOf(body, text) }]
      }
      return isType(member, 'PropertyDefinition')
        ? [{ name: `${name}.${key}`, kind: 'value', signature: '' }]
        : []
    })
    return [{ name, kind: 'class', signature: '' }, ...members]
  }
  return [{ name, kind: 'value', signature: '' }]
}

function declared(node: ScriptNode, text: TextOf): ExportedSignature[] {
  const name = dotted(child(node, 'id'))
  if (isType(node, 'VariableDeclaration')) {
    return children(node, 'declarations').flatMap((each) =>
      isType(child(each, 'id'), 'Identifier')
        ? signatureOf(dotted(child(each, 'id')), child(each, 'init'), text)
        : []
    )
  }
  if (isType(node, 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration')) {
    return [{ name, kind: 'type', signature: '' }]
  }
  if (isType(node, 'FunctionDeclaration', 'ClassDeclaration', 'TSDeclareFunction')) {
    return signatureOf(name, node, text)
  }
  return []
}

/** `module.exports = …` and `exports.x = …`. */
function assigned(
  node: ScriptNode,
  text: TextOf,
  named: (name: string) => ScriptNode | null
): ExportedSignature[] {
  const expression = isType(node, 'ExpressionStatement') ? child(node, 'expression') : null
  if (!isType(expression, 'AssignmentExpression')) return []
  const target = dotted(child(expression, 'left'))
  const value = child(expression, 'right')
  const single = /^(?:module\.)?exports\.(\w+)$/.exec(target)
  if (single !== null) {
    return signatureOf(single[1]!, isType(value, 'Identifier') ? named(dotted(value)) : value, text)
  }
  if (target !== 'module.exports') return []
  if (!isType(value, 'ObjectExpression')) {
    return signatureOf('module.exports', isType(value, 'Identifier') ? named(dotted(value)) : value, text)
  }
  return children(value, 'properties')
    .filter((each) => isType(each, 'Property'))
    .flatMap((each) => {
      const inner = child(each, 'value')
      return signatureOf(keyOf(each), isType(inner, 'Identifier') ? named(dotted(inner)) : inner, text)
    })
}

/** What a module exports; of code that exports nothing, everything declared at its top. */
export function scriptExports(program: ScriptNode, text: TextOf): ExportedSignature[] {
  const statements = children(program, 'body')
  const named = (name: string): ScriptNode | null => {
    for (const statement of statements) {
      if (
        isType(statement, 'FunctionDeclaration', 'ClassDeclaration') &&
        dotted(child(statement, 'id')) === name
      ) {
        return statement
      }
      const declarator = isType(statement, 'VariableDeclaration')
        ? children(statement, 'declarations').find((each) => dotted(child(each, 'id')) === name)
        : undefined
      if (declarator !== undefined) return child(declarator, 'init')
    }
    return null
  }

  const exported = statements.flatMap((statement): ExportedSignature[] => {
    if (isType(statement, 'ExportNamedDeclaration')) {
      const declaration = child(statement, 'declaration')
      if (declaration !== null) return declared(declaration, text)
      return children(statement, 'specifiers').flatMap((each) => {
        const outer = child(each, 'exported')
        return signatureOf(textOf(outer) ?? dotted(outer), named(dotted(child(each, 'local'))), text)
      })
    }
    if (isType(statement, 'ExportDefaultDeclaration')) {
      const declaration = child(statement, 'declaration')
      return signatureOf(
        'default',
        isType(declaration, 'Identifier') ? named(dotted(declaration)) : declaration,
        text
      )
    }
    if (isType(statement, 'ExportAllDeclaration')) {
      return [{ name: `* from ${textOf(child(statement, 'source')) ?? ''}`, kind: 'value', signature: '' }]
    }
    return assigned(statement, text, named)
  })
  if (exported.length > 0) return exported

  const routes = statements.flatMap((statement): ExportedSignature[] => {
    const call = isType(statement, 'ExpressionStatement') ? child(statement, 'expression') : null
    // Routes are what a script of handlers offers.
    const path =
      isType(call, 'CallExpression') &&
      /^(?:app|router|server|fastify)\.(?:get|post|put|patch|delete|use|all)$/.test(calleeOf(call))
        ? textOf(children(call, 'arguments')[0])
        : null
    return path === null || call === null
      ? []
      : [{ name: `${calleeOf(call)} ${path}`, kind: 'function', signature: '' }]
  })
  return [...statements.flatMap((statement) => declared(statement, text)).filter(isOffered), ...routes]

  /** Data that the code itself uses is part of how it works. */
  function isOffered({ name, kind }: ExportedSignature): boolean {
    if (kind !== 'value' || name.includes('.')) return true
    const word = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
    return statements.flatMap((each) => text(each).match(word) ?? []).length < 2
  }
}
