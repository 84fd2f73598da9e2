/**
 * A syntax node as ESLint's parsers make it; only what every node has is typed, the rest is read through the
 * helpers below.
 */
export interface ScriptNode {
  readonly type: string
  readonly range: readonly [number, number]
  readonly loc: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
  }
  readonly parent?: ScriptNode | null
  readonly [key: string]: unknown
}

export function isNode(value: unknown): value is ScriptNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function child(node: ScriptNode | null | undefined, key: string): ScriptNode | null {
  const value = node?.[key]
  return isNode(value) ? value : null
}

export function children(node: ScriptNode | null | undefined, key: string): ScriptNode[] {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The statements among which a node stands, as they are: there may be very many, and each may ask. */
export function statementsOf(owner: ScriptNode | null | undefined): readonly ScriptNode[] {
  const list = owner?.[isType(owner, 'SwitchCase') ? 'consequent' : 'body']
  return Array.isArray(list) ? (list as readonly ScriptNode[]) : []
}

export function isType<const T extends string>(
  node: ScriptNode | null | undefined,
  ...types: readonly T[]
): node is ScriptNode & { readonly type: T } {
  return node !== null && node !== undefined && (types as readonly string[]).includes(node.type)
}

const wrappers = new Set([
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion'
])

/** The expression without type assertions and optional chaining around it. */
export function bare(node: ScriptNode | null | undefined): ScriptNode | null {
  let current = node ?? null
  while (current !== null && wrappers.has(current.type)) current = child(current, 'expression')
  return current
}

/** The text of a string literal or of a template without expressions, else null. */
export function textOf(node: ScriptNode | null | undefined): string | null {
  if (isType(node, 'Literal') && typeof node.value === 'string') return node.value
  if (isType(node, 'TemplateLiteral') && children(node, 'expressions').length === 0) return quasiText(node)
  return null
}

/** A template's fixed text with `${}` where an expression stands. */
export function quasiText(template: ScriptNode): string {
  return children(template, 'quasis')
    .map((quasi) => {
      const value = quasi.value as { cooked?: string | null; raw: string }
      return value.cooked ?? value.raw
    })
    .join('${}')
}

export const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'] as const
export const loopTypes = [
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement'
] as const

/** Where a node stands, for an edit that takes its place. */
export const spanOf = ({ range: [start, end] }: ScriptNode): { start: number; end: number } => ({
  start,
  end
})
