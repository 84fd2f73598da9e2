import ts from 'typescript'
import type { PlannedTarget } from './plan.js'
import { toPlain } from './shape.js'
import type { CodeShapes } from './use-shapes.js'

export type PlannedParams = Pick<PlannedTarget, 'params' | 'isRest'>

export function plannedParams(node: ts.SignatureDeclaration, shapes: CodeShapes): PlannedParams {
  const isRest = node.parameters.at(-1)?.dotDotDotToken !== undefined
  const params = shapes.paramsOf(node).map((shape, index) => {
    const { name, dotDotDotToken } = node.parameters[index]!
    const plain = toPlain(shape, ts.isIdentifier(name) ? name.text : '')
    return dotDotDotToken === undefined ? plain : (plain.element ?? { kinds: [], isGuess: true as const })
  })
  return { params, ...(isRest ? { isRest } : {}) }
}

/** What the functions inside a function or class take: a caller may come by them through its results. */
export function innerParams(node: ts.Node, shapes: CodeShapes): Pick<PlannedTarget, 'inner'> {
  const inner = new Map<string, PlannedParams>()
  const returned = new Set<string>()
  const visit = (each: ts.Node): void => {
    if (ts.isReturnStatement(each) && each.expression !== undefined && ts.isIdentifier(each.expression)) {
      returned.add(each.expression.text)
    }
    if (
      ts.isArrowFunction(each) ||
      ts.isFunctionExpression(each) ||
      ts.isMethodDeclaration(each) ||
      ts.isFunctionDeclaration(each)
    ) {
      if (each !== node && each.body !== undefined) {
        for (const name of namesOf(each)) if (!inner.has(name)) inner.set(name, plannedParams(each, shapes))
      }
    }
    ts.forEachChild(each, visit)
  }
  visit(node)
  for (const name of returned) {
    const params = inner.get(name)
    if (params !== undefined && !inner.has('')) inner.set('', params)
  }
  return inner.size === 0 ? {} : { inner: Object.fromEntries(inner) }
}

/** Its name, the property or the variable that it is assigned to; the empty one for what is returned. */
function namesOf({ name, parent }: ts.SignatureDeclaration): string[] {
  const names = name !== undefined && ts.isIdentifier(name) ? [name.text] : []
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) names.push('')
  else if (
    (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) &&
    ts.isIdentifier(parent.name)
  ) {
    names.push(parent.name.text)
  } else if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left)) {
    names.push(parent.left.name.text)
  }
  return names
}
