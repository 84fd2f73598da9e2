import type { Scope, SourceCode } from 'eslint'
import { child, isType, type ScriptNode } from './nodes.js'

/** A variable as ESLint knows it, with nodes of our type. */
export interface ScriptVariable {
  readonly name: string
  readonly scope: {
    readonly type: string
    readonly block: ScriptNode
    readonly set: ReadonlyMap<string, unknown>
  }
  readonly defs: readonly {
    readonly type: Scope.Definition['type']
    readonly name: ScriptNode
    readonly node: ScriptNode
    readonly parent: ScriptNode | null
  }[]
  readonly identifiers: readonly ScriptNode[]
  readonly references: readonly {
    readonly identifier: ScriptNode
    readonly init?: boolean
    isRead(): boolean
    isWrite(): boolean
  }[]
}

export interface ScriptContext {
  text(node: ScriptNode): string
  /**
   * True for a block in which a comment says in a sentence why it is empty; what only talks to a tool
   * explains nothing.
   */
  isExplained(block: ScriptNode): boolean
  /** True for a block with a comment of the author's, or one behind it: it is empty on purpose. */
  isNoted(block: ScriptNode): boolean
  /** Whether a comment before the statement says that it may fail. */
  isExplainedAbove(statement: ScriptNode): boolean
  /** Whether the last comment in a block does: `// Throws in old browsers` before `} catch {}`. */
  isExplainedAtEnd(block: ScriptNode): boolean
  /** Whether a comment for readers of the documentation stands before a statement. */
  isDocumented(statement: ScriptNode): boolean
  /** Whether the code runs text as code, which may read and write names that nobody sees. */
  readonly hasEval: boolean
  readonly program: ScriptNode
  /** Whether brackets of its own stand around an expression. */
  isInBrackets(expression: ScriptNode): boolean
  /** Names that the code defines as methods of its own: `Chunk.prototype.map = …`, `map (…) {` in a class. */
  readonly methods: ReadonlySet<string>
  /** Names that the code defines as getters. */
  readonly getters: ReadonlySet<string>
  /** What an identifier was declared with, where it is declared once and never assigned again. */
  initOf(identifier: ScriptNode): ScriptNode | null
  variableOf(identifier: ScriptNode): ScriptVariable | null
  /** Whether the code declares a name that can be read at a place. */
  isKnown(name: string, at: ScriptNode): boolean
  /** Whether a name is the language's own: the code declares none like it. */
  isGlobal(name: ScriptNode | null): boolean
  /** The type that the declaration of a name says. */
  typeOf(name: ScriptNode): ScriptNode | null
  /** Whether any function or block of the code declares the name. */
  isDeclaredAnywhere(name: string): boolean
  /** Whether a comment names a type so: `@param {Name} each`. */
  isTypeInComment(name: string): boolean
  /** Names that a declaration brings into being. */
  declaredBy(declaration: ScriptNode): ScriptVariable[]
}

export function createScriptContext(sourceCode: SourceCode): ScriptContext {
  const variableOf = (identifier: ScriptNode): ScriptVariable | null =>
    visibleAt(String(identifier.name), identifier)

  function visibleAt(name: string, place: ScriptNode): ScriptVariable | null {
    let scope: Scope.Scope | null = sourceCode.getScope(
      place as unknown as Parameters<SourceCode['getScope']>[0]
    )
    while (scope !== null) {
      const variable = scope.set.get(name)
      if (variable !== undefined) return variable as unknown as ScriptVariable
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
    return child(definition.node, 'init')
  }

  function declaredBy(declaration: ScriptNode): ScriptVariable[] {
    return sourceCode.scopeManager.getDeclaredVariables(
      declaration as unknown as Parameters<Scope.ScopeManager['getDeclaredVariables']>[0]
    ) as unknown as ScriptVariable[]
  }

  /** Comments inside a block, and behind it on its last line. */
  function commentsOf(block: ScriptNode): string[] {
    const node = block as unknown as Parameters<SourceCode['getCommentsInside']>[0]
    const behind = sourceCode
      .getCommentsAfter(node)
      .filter(({ loc }) => loc?.start.line === block.loc.end.line)
    return [...sourceCode.getCommentsInside(node), ...behind].map(({ value }) => value)
  }

  const isExplained = (block: ScriptNode): boolean => commentsOf(block).some(isSentence)

  const isNoted = (block: ScriptNode): boolean =>
    commentsOf(block).some((comment) => !toTools.test(comment) && !saysNothing.test(comment))

  function isExplainedAbove(statement: ScriptNode): boolean {
    return saysOfFailure(
      sourceCode.getCommentsBefore(statement as unknown as Parameters<SourceCode['getCommentsBefore']>[0])
    )
  }

  function isExplainedAtEnd(block: ScriptNode): boolean {
    const brace = sourceCode.getLastToken(block as unknown as Parameters<SourceCode['getLastToken']>[0])
    return brace !== null && saysOfFailure(sourceCode.getCommentsBefore(brace))
  }

  function isDocumented(statement: ScriptNode): boolean {
    return sourceCode
      .getCommentsBefore(statement as unknown as Parameters<SourceCode['getCommentsBefore']>[0])
      .some(({ type, value }) => (type === 'Block' && value.startsWith('*')) || /\$Expect/.test(value))
  }

  function isInBrackets(expression: ScriptNode): boolean {
    const node = expression as unknown as Parameters<SourceCode['getTokenBefore']>[0]
    return sourceCode.getTokenBefore(node)?.value === '(' && sourceCode.getTokenAfter(node)?.value === ')'
  }

  let hasEval: boolean | null = null
  let getters: ReadonlySet<string> | null = null
  let methods: ReadonlySet<string> | null = null

  let typeNames: ReadonlySet<string> | null = null

  function isTypeInComment(name: string): boolean {
    typeNames ??= new Set(
      sourceCode
        .getAllComments()
        .filter(({ value }) => value.startsWith('*'))
        .flatMap(({ value }) => value.match(/\{[^\n]*\}/g) ?? [])
        .flatMap((type) => type.match(/[A-Za-z_$][\w$]*/g) ?? [])
    )
    return typeNames.has(name)
  }

  return {
    text: (node) => sourceCode.text.slice(node.range[0], node.range[1]),
    initOf,
    variableOf,
    isGlobal: (name) => isType(name, 'Identifier') && (variableOf(name)?.defs.length ?? 0) === 0,
    typeOf: (name) => child(child(variableOf(name)?.defs[0]?.name, 'typeAnnotation'), 'typeAnnotation'),
    isKnown: (name, at) => (visibleAt(name, at)?.defs.length ?? 0) > 0,
    isDeclaredAnywhere: (name) =>
      sourceCode.scopeManager.scopes.some((scope) => (scope.set.get(name)?.defs.length ?? 0) > 0),
    declaredBy,
    isTypeInComment,
    isExplained,
    isExplainedAbove,
    isExplainedAtEnd,
    isInBrackets,
    isDocumented,
    program: sourceCode.ast as unknown as ScriptNode,
    get hasEval() {
      return (hasEval ??= /\beval\s*\(/.test(sourceCode.text))
    },
    get methods() {
      return (methods ??= namesIn(sourceCode.text, methodNames))
    },
    get getters() {
      return (getters ??= namesIn(sourceCode.text, getterNames))
    },
    isNoted
  }
}

function saysOfFailure(comments: readonly { value: string }[]): boolean {
  const text = comments.map(({ value }) => value).join(' ')
  return isSentence(text) && ofFailure.test(text)
}

const namesIn = (text: string, pattern: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[2]!))

const methodNames = /\.prototype\.([\w$]+)\s*=|^[ \t]*(?:async\s+)?([\w$]+)\s*\([^()\n]*\)\s*\{/gm

const getterNames =
  /\bget\s+([\w$]+)\s*\(|(?:defineProperty\([^,\n]{1,80},|__defineGetter__\()\s*['"`]([\w$]+)['"`]/g

const isSentence = (comment: string): boolean =>
  !toTools.test(comment) && (comment.match(/\p{L}{2,}/gu) ?? []).length >= sentenceWords

/** Most comments above a statement say what it does. */
const ofFailure =
  /\b(?:may|might|attempts?|not (?:work|supported|available)|fails?|throws?|ignor(?:ed?|ing)|errors?|best.effort|unhandled|uncaught|fire.and.forget)\b/i

/** Fewer, such as "nothing to do", say what the code does, not why. */
const sentenceWords = 4
const toTools = /^[\s*]*(?:@ts-|eslint|biome|prettier|istanbul|c8|v8|nosonar|noqa|nolint|todo|fixme)/i
const saysNothing = /^[\s*]*(?:(?:do )?nothing(?: to do)?[\s.!]*)?$/i
