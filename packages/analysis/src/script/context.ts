import type { Scope, SourceCode } from 'eslint'
import { bare, child, closest, dotted, isType, walk, type ScriptNode } from './nodes.js'

/** Names under which web frameworks hand over what a client sent. */
const inputPaths = /^(?:(?:this\.)?(?:req|request|ctx|context|event|c)\.(?:request\.)?(?:params?|query|body|headers?|cookies?|url|originalUrl|path|queryStringParameters|pathParameters|files?)\b|(?:searchParams|location\.(?:search|hash|href)|window\.location\.(?:search|hash|href)|document\.(?:location|URL|referrer))\b|process\.argv\b)/

export interface ScriptContext {
  text (node: ScriptNode): string
  /** True for a block in which a comment says in a sentence why it is empty; what only talks to a tool explains nothing. */
  isExplained (block: ScriptNode): boolean
  /** What an identifier was declared with, where it is declared once and never assigned again. */
  initOf (identifier: ScriptNode): ScriptNode | null
  variableOf (identifier: ScriptNode): Scope.Variable | null
  /** Names that a declaration brings into being. */
  declaredBy (declaration: ScriptNode): Scope.Variable[]
  /** True where a client's input is part of the expression, directly or through one local name. */
  isInput (node: ScriptNode | null): boolean
}

export function createScriptContext (sourceCode: SourceCode): ScriptContext {
  function variableOf (identifier: ScriptNode): Scope.Variable | null {
    const name = String(identifier.name)
    let scope: Scope.Scope | null = sourceCode.getScope(identifier as unknown as Parameters<SourceCode['getScope']>[0])
    while (scope !== null) {
      const variable = scope.set.get(name)
      if (variable !== undefined) return variable
      scope = scope.upper
    }
    return null
  }

  function initOf (identifier: ScriptNode): ScriptNode | null {
    if (identifier.type !== 'Identifier') return null
    const variable = variableOf(identifier)
    const definition = variable?.defs[0]
    if (variable === null || definition === undefined || variable.defs.length !== 1 || definition.type !== 'Variable') return null
    if (variable.references.filter((reference) => reference.isWrite()).length > 1) return null
    return child(definition.node as unknown as ScriptNode, 'init')
  }

  function isInputItself (node: ScriptNode): boolean {
    if (inputPaths.test(dotted(node))) return true
    if (node.type !== 'Identifier') return false
    const init = bare(initOf(node))
    return init !== null && isType(init, 'MemberExpression', 'CallExpression', 'LogicalExpression', 'TemplateLiteral', 'Identifier', 'AwaitExpression') &&
      [...walk(init)].some((inner) => inputPaths.test(dotted(inner)))
  }

  function isInput (node: ScriptNode | null): boolean {
    if (node === null) return false
    for (const inner of walk(node)) {
      if (!isType(inner, 'Identifier', 'MemberExpression') || !isInputItself(inner)) continue
      // The base name of a path, a number or an encoded text is no longer the client's to shape.
      const cleaned = closest(inner, (ancestor) => ancestor !== node.parent && isType(ancestor, 'CallExpression') && cleaners.test(dotted(child(ancestor, 'callee'))))
      if (cleaned === null) return true
    }
    return false
  }

  function declaredBy (declaration: ScriptNode): Scope.Variable[] {
    return sourceCode.scopeManager.getDeclaredVariables(declaration as unknown as Parameters<Scope.ScopeManager['getDeclaredVariables']>[0])
  }

  function isExplained (block: ScriptNode): boolean {
    return sourceCode.getCommentsInside(block as unknown as Parameters<SourceCode['getCommentsInside']>[0])
      .some(({ value }) => !toTools.test(value) && (value.match(/\p{L}{2,}/gu) ?? []).length >= sentenceWords)
  }

  return { text: (node) => sourceCode.text.slice(node.range[0], node.range[1]), initOf, variableOf, declaredBy, isInput, isExplained }
}

/** Fewer, such as "nothing to do", say what the code does, not why. */
const sentenceWords = 4
const toTools = /^[\s*]*(?:@ts-|eslint|biome|prettier|istanbul|c8|v8|nosonar|noqa|nolint|todo|fixme)/i

const cleaners = /^(?:(?:path\.)?basename|Number|parseInt|parseFloat|Number\.\w+|Boolean|encodeURIComponent|(?:\w+\.)?(?:escape|sanitize|clean|validate|check|assert|resolveInside|safe)\w*|\w*(?:Escape|Sanitize|Schema)\w*(?:\.\w+)?)$/i
