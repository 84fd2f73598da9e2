import ts from 'typescript'
import { declaredBy, type Target } from './targets.js'

/**
 * The top-level names of a module that only its own functions use. Nobody else can call them, so they are
 * judged through the functions that the module exports. Empty for code that exports nothing.
 */
export function privateNames(source: ts.SourceFile): ReadonlySet<string> {
  const isModule = source.statements.some((each) => exportsSomething(each, source))
  if (!isModule || source.statements.some((each) => exportsLater(each, false))) return new Set()
  const shared = new Set(source.statements.flatMap((each) => (isExported(each) ? namesOf(each) : [])))
  for (const statement of source.statements) addUsed(statement, shared)
  return new Set(source.statements.flatMap(namesOf).filter((name) => !shared.has(name)))
}

/** The name on which the access to a target begins. Empty for a function that has no name at the top level. */
export const rootOf = ({ access }: Pick<Target, 'access'>): string => /^[\w$]+/.exec(access)?.[0] ?? ''

const namesOf = (statement: ts.Statement): string[] => declaredBy(statement).split(' ').filter(Boolean)

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

function exportsSomething(statement: ts.Statement, source: ts.SourceFile): boolean {
  return (
    isExported(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    (ts.isExpressionStatement(statement) && /^(?:module\s*\.\s*)?exports\b/.test(statement.getText(source)))
  )
}

/** Whether a function refers to the exports, so that loading the module does not show all of them. */
function exportsLater(node: ts.Node, isInside: boolean): boolean {
  if (isInside && ts.isIdentifier(node) && /^(?:module|exports)$/.test(node.text)) return true
  const isIn = isInside || ts.isFunctionLike(node)
  return ts.forEachChild(node, (child) => exportsLater(child, isIn) || undefined) === true
}

/**
 * Adds the names that code outside functions uses: it exports them, or passes them on. A call whose result is
 * not used is complete when the module has loaded, and the effects of loading are compared.
 */
function addUsed(node: ts.Node, shared: Set<string>): void {
  if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return
  if (ts.isIdentifier(node)) {
    const { parent } = node
    const isDeclared = 'name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent)
    const isProperty = ts.isPropertyAccessExpression(parent) && parent.name === node
    const isCalled =
      ts.isCallExpression(parent) && parent.expression === node && ts.isExpressionStatement(parent.parent)
    if (isCalled || isProperty || (isDeclared && !ts.isExportSpecifier(parent))) return
    shared.add(node.text)
    return
  }
  ts.forEachChild(node, (child) => addUsed(child, shared))
}
