import { fixed, unknown, type Expression, type Statement, type Target } from '../form.js'

/** How the nodes of a parser are read. */
export interface Syntax<N> {
  readonly kindOf: (node: N) => string
  /** From 1. */
  readonly lineOf: (node: N) => number
  readonly textOf: (node: N | null) => string
  readonly operatorOf: (node: N) => string
  readonly field: (node: N, name: string) => N | null
  /** The nodes in a field, or all that a node holds. */
  readonly parts: (node: N | null, name?: string) => N[]
  /** The text of a literal without values in it; null for anything else. */
  readonly literalOf: (node: N, kind: string) => string | null
  /** The node that is meant, without what only wraps it. */
  readonly bare?: (node: N) => N
}

export type Row<N, T> = (node: N, lower: Lowering<N>) => T

/** Rows by the kinds of nodes that they are for, separated by blanks. */
type Rows<N, T> = Readonly<Record<string, Row<N, T>>>

/** How each kind of node is lowered. A kind without a row has an unknown value. */
export interface Grammar<N> {
  readonly syntax: Syntax<N>
  /** Kinds of nodes that only hold statements. */
  readonly blocks: string
  /** Statements that are more than an expression. */
  readonly statements: Rows<N, Statement[]>
  readonly expressions: Rows<N, Expression>
  /** Patterns; names and fields are targets as they are expressions. */
  readonly targets?: Rows<N, Target>
  /** Conditions, where they differ from values: `a || b` asks whether, elsewhere it is one of two values. */
  readonly tests?: Rows<N, Expression>
}

export interface Lowering<N> extends Syntax<N> {
  readonly statement: (node: N) => Statement[]
  readonly statements: (nodes: readonly N[]) => Statement[]
  /** The statements of a block, or the one that stands for it. */
  readonly body: (node: N | null) => Statement[]
  readonly expression: (node: N | null) => Expression
  readonly expressions: (nodes: readonly N[]) => Expression[]
  readonly test: (node: N | null) => Expression
  readonly target: (node: N | null) => Target
}

export const noTarget: Target = { to: 'parts', parts: [] }

function byKind<N, T>(rows: Rows<N, T> = {}): ReadonlyMap<string, Row<N, T>> {
  return new Map(
    Object.entries(rows).flatMap(([kinds, row]) => kinds.split(' ').map((kind) => [kind, row] as const))
  )
}

/** Brings code into the form, as its grammar says. */
export function createLowering<N>(grammar: Grammar<N>): Lowering<N> {
  const { syntax } = grammar
  const blocks = new Set(grammar.blocks.split(' '))
  const statementRows = byKind(grammar.statements)
  const expressionRows = byKind(grammar.expressions)
  const targetRows = byKind(grammar.targets)
  const testRows = byKind(grammar.tests)
  const bare = syntax.bare ?? ((node: N): N => node)

  const lower: Lowering<N> = {
    ...syntax,
    statement(node) {
      const row = statementRows.get(syntax.kindOf(node))
      if (row !== undefined) return row(node, lower)
      const value = lower.expression(node)
      if (value.is !== 'assigned') return [{ does: 'run', value }]
      const { target, adds, line } = value
      return [{ does: 'set', target, value: value.value, adds, line }]
    },
    statements: (nodes) => nodes.flatMap(lower.statement),
    body(node) {
      if (node === null) return []
      return blocks.has(syntax.kindOf(node)) ? lower.statements(syntax.parts(node)) : lower.statement(node)
    },
    expression(given) {
      if (given === null) return fixed
      const node = bare(given)
      const kind = syntax.kindOf(node)
      const text = syntax.literalOf(node, kind)
      if (text !== null) return { is: 'text', text }
      return expressionRows.get(kind)?.(node, lower) ?? unknown()
    },
    expressions: (nodes) => nodes.map(lower.expression),
    test(given) {
      if (given === null) return fixed
      const node = bare(given)
      const row = testRows.get(syntax.kindOf(node))
      return row === undefined ? lower.expression(node) : row(node, lower)
    },
    target(given) {
      if (given === null) return noTarget
      const node = bare(given)
      const row = targetRows.get(syntax.kindOf(node))
      if (row !== undefined) return row(node, lower)
      const made = lower.expression(node)
      if (made.is === 'name') return { to: 'name', name: made.name }
      return made.is === 'field' ? { to: 'field', of: made.of, key: made.key } : noTarget
    }
  }
  return lower
}
