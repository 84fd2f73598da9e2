import { calleeOf, keyOf } from '../names.js'
import { bare, child, children, isType, type ScriptNode } from '../nodes.js'
import { contains, enclosingFunction, walk } from '../walk.js'
import { importedCallee, localFunction, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/** Opened and closed at once, to see whether it can be. */
function isClosedNext(declarator: ScriptNode, name: string): boolean {
  const declaration = declarator.parent!
  const siblings = children(declaration.parent, 'body')
  const call = child(siblings[siblings.indexOf(declaration) + 1], 'expression')
  return (
    isType(call, 'CallExpression') &&
    /close/i.test(calleeOf(call)) &&
    contains(call, (each) => isType(each, 'Identifier') && each.name === name)
  )
}

/** Released in a finally, handed to somebody else, kept by a function for later, or returned. */
function givesBack(scope: ScriptNode, name: string): boolean {
  for (const inner of walk(scope)) {
    if (
      isType(inner, 'Identifier') &&
      inner.name === name &&
      enclosingFunction(inner) !== scope &&
      isType(inner.parent, 'CallExpression', 'MemberExpression')
    ) {
      return true
    }
    // A program that is started with it closes it.
    if (
      isType(inner, 'Property') &&
      keyOf(inner) === 'stdio' &&
      children(child(inner, 'value'), 'elements').some((each) => each.name === name)
    ) {
      return true
    }
    if (isType(inner, 'TryStatement')) {
      const finalizer = child(inner, 'finalizer')
      if (contains(finalizer, (each) => isType(each, 'Identifier') && each.name === name)) {
        return true
      }
    }
    if (
      isType(inner, 'ReturnStatement') &&
      child(inner, 'argument') !== null &&
      contains(
        child(inner, 'argument'),
        (each) => isType(each, 'Identifier') && each.name === name && !isType(each.parent, 'MemberExpression')
      )
    ) {
      return true
    }
    if (
      isType(inner, 'Property', 'AssignmentExpression') &&
      (child(inner, 'value') ?? child(inner, 'right'))?.name === name &&
      keyOf(inner) !== ''
    ) {
      return true
    }
    if (
      isType(inner, 'VariableDeclaration') &&
      /using/.test(String(inner.kind)) &&
      contains(inner, (each) => each.name === name)
    ) {
      return true
    }
  }
  return false
}

export const resourceLeakRules = [
  visit.warning('resource-leak', {
    sentence: 'The connection or file is not released if an error is thrown before the release.',
    suggestion: 'Release it in a `finally` block.',
    on: 'VariableDeclarator[init]',
    when: (node, script) => {
      const call = bare(child(node, 'init'))
      const opened = isType(call, 'AwaitExpression') ? bare(child(call, 'argument')) : call
      const id = child(node, 'id')
      if (!isType(opened, 'CallExpression') || !isType(id, 'Identifier')) return false
      const callee = calleeOf(opened)
      const opens =
        /(?:^|\.)getConnection$/.test(callee) ||
        /(?:^|\.)fs\w*\.openSync$/i.test(callee) ||
        (callee === 'openSync' && localFunction(opened, script) === null) ||
        /^(?:fs|fsp|fsPromises|fs\.promises)\.open$/.test(callee) ||
        importedCallee(opened, script) === 'fs/promises.open' ||
        /(?:^|\.)pool\.connect$/i.test(callee)
      const scope = opens ? enclosingFunction(node) : null
      return scope !== null && !isClosedNext(node, String(id.name)) && !givesBack(scope, String(id.name))
    }
  })
]
