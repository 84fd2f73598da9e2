/** A node of PostgreSQL's own parse tree: one key that names its kind, and its members under it. */
export type SqlNode = Record<string, unknown>

export interface SqlStatement {
  /** Offset of its first word. */
  offset: number
  text: string
  node: SqlNode
}

/** Every object of a kind below a node, with the members it has. */
export function* nodesOf(node: unknown, kind: string): Generator<SqlNode> {
  const stack: unknown[] = [node]
  while (stack.length > 0) {
    const current = stack.pop()
    if (Array.isArray(current)) stack.push(...current)
    else if (typeof current === 'object' && current !== null) {
      for (const [key, value] of Object.entries(current)) {
        if (key === kind) yield value as SqlNode
        stack.push(value)
      }
    }
  }
}
