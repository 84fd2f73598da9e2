import ts from 'typescript'

/** What the code assigns to each name. */
export type Writes = ReadonlyMap<string, { count: number; lengthOf: string | null; isFound: boolean }>

const steps = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken])

export function writesIn(source: ts.SourceFile): Writes {
  const writes = new Map<string, { count: number; lengthOf: string | null; isFound: boolean }>()
  const note = (name: ts.Node, value?: ts.Expression): void => {
    if (!ts.isIdentifier(name)) return
    const known = writes.get(name.text) ?? { count: 0, lengthOf: null, isFound: false }
    writes.set(name.text, known)
    known.count++
    if (value === undefined) return
    if (ts.isPropertyAccessExpression(value) && value.name.text === 'length') {
      known.lengthOf = ts.isIdentifier(value.expression) ? value.expression.text : ''
    }
    const callee = ts.isCallExpression(value) ? value.expression : null
    const isSearch = callee !== null && ts.isPropertyAccessExpression(callee)
    known.isFound ||= isSearch && /^(?:lastIndexOf|indexOf|search|findIndex)$/.test(callee.name.text)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) note(node.name, node.initializer)
    if (ts.isBinaryExpression(node) && isAssignment(node)) note(node.left, node.right)
    if (ts.isPostfixUnaryExpression(node)) note(node.operand)
    if (ts.isPrefixUnaryExpression(node) && steps.has(node.operator)) note(node.operand)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return writes
}

export const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
