import type { Scope, SourceCode } from 'eslint'
import { child, type ScriptNode } from './nodes.js'

export interface ScriptContext {
  text(node: ScriptNode): string
  /**
   * True for a block in which a comment says in a sentence why it is empty; what only talks to a tool
   * explains nothing.
   */
  isExplained(block: ScriptNode): boolean
  /** Whether a comment before the statement says that it may fail. */
  isExplainedAbove(statement: ScriptNode): boolean
  /** What an identifier was declared with, where it is declared once and never assigned again. */
  initOf(identifier: ScriptNode): ScriptNode | null
  variableOf(identifier: ScriptNode): Scope.Variable | null
  /** Names that a declaration brings into being. */
  declaredBy(declaration: ScriptNode): Scope.Variable[]
}

export function createScriptContext(sourceCode: SourceCode): ScriptContext {
  function variableOf(identifier: ScriptNode): Scope.Variable | null {
    const name = String(identifier.name)
    let scope: Scope.Scope | null = sourceCode.getScope(
      identifier as unknown as Parameters<SourceCode['getScope']>[0]
    )
    while (scope !== null) {
      const variable = scope.set.get(name)
      if (variable !== undefined) return variable
      scope = scope.upper
    }
    return null
  }

  function initOf(identifier: ScriptNode): ScriptNode | null {
    if (identifier.type !== 'Identifier') return null
    const variable = variableOf(identifier)
    const definition = variable?.defs[0]
    if (
      variable === null ||
      definition === undefined ||
      variable.defs.length !== 1 ||
      definition.type !== 'Variable'
    ) {
      return null
    }
    if (variable.references.filter((reference) => reference.isWrite()).length > 1) return null
    return child(definition.node as unknown as ScriptNode, 'init')
  }

  function declaredBy(declaration: ScriptNode): Scope.Variable[] {
    return sourceCode.scopeManager.getDeclaredVariables(
      declaration as unknown as Parameters<Scope.ScopeManager['getDeclaredVariables']>[0]
    )
  }

  function isExplained(block: ScriptNode): boolean {
    return sourceCode
      .getCommentsInside(block as unknown as Parameters<SourceCode['getCommentsInside']>[0])
      .some(({ value }) => isSentence(value))
  }

  function isExplainedAbove(statement: ScriptNode): boolean {
    const comments = sourceCode.getCommentsBefore(
      statement as unknown as Parameters<SourceCode['getCommentsBefore']>[0]
    )
    const text = comments.map(({ value }) => value).join(' ')
    return isSentence(text) && ofFailure.test(text)
  }

  return {
    text: (node) => sourceCode.text.slice(node.range[0], node.range[1]),
    initOf,
    variableOf,
    declaredBy,
    isExplained,
    isExplainedAbove
  }
}

const isSentence = (comment: string): boolean =>
  !toTools.test(comment) && (comment.match(/\p{L}{2,}/gu) ?? []).length >= sentenceWords

/** Most comments above a statement say what it does. */
const ofFailure =
  /\b(?:may|might|not (?:work|supported|available)|fails?|throws?|ignored?|errors?|best.effort)\b/i

/** Fewer, such as "nothing to do", say what the code does, not why. */
const sentenceWords = 4
const toTools = /^[\s*]*(?:@ts-|eslint|biome|prettier|istanbul|c8|v8|nosonar|noqa|nolint|todo|fixme)/i
