import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { parseScript } from './targets.js'

/**
 * Top-level statements that hold data and no function, in both versions: constants and exports. The exports
 * after loading show them, and so do the functions that use them.
 */
export function dataUnits(before: string, after: string, language: Language): string[] {
  const [old, now] = [dataIn(parseScript(before, language)), dataIn(parseScript(after, language))]
  return [...old].filter((unit) => now.has(unit))
}

function dataIn(source: ts.SourceFile): Set<string> {
  const found = new Set<string>()
  const again = new Set<string>()
  for (const statement of source.statements) {
    const unit = unitOf(statement, source)
    if (unit === null) continue
    if (found.has(unit) || hasFunction(statement)) again.add(unit)
    found.add(unit)
  }
  return new Set([...found].filter((unit) => !again.has(unit)))
}

/** The name that `unitsOf` gives the unit. */
function unitOf(statement: ts.Statement, source: ts.SourceFile): string | null {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText(source)).join(', ')
  }
  if (!ts.isExpressionStatement(statement)) return null
  const { expression } = statement
  return ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken
    ? expression.left.getText(source)
    : null
}

function hasFunction(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.forEachChild(node, (child) => hasFunction(child) || undefined) === true
  )
}
