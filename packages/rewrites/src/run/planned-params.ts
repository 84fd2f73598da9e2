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
    if (dotDotDotToken !== undefined) return plain.element ?? { kinds: [], isGuess: true as const }
    const isWhole = ts.isIdentifier(name) && impliesInteger(name.text, node.getText())
    return isWhole ? { ...plain, isWhole } : plain
  })
  return { params, ...(isRest ? { isRest } : {}) }
}

const wholeNames =
  /(?:^|[a-z_])(?:count|index|size|length|limit|capacity|page|depth|retries|attempts|times|columns|rows|bins)$/i

/** Whether a name stands for a count, and the code neither rounds it nor checks that it is an integer. */
function impliesInteger(name: string, code: string): boolean {
  if (!wholeNames.test(name) || !/^\w+$/.test(name)) return false
  const rounds = new RegExp(
    `(?:floor|ceil|round|trunc|isInteger|isSafeInteger|parseInt|toInteger)\\(\\s*(?:\\+\\s*|Number\\(\\s*)?${name}\\b` +
      `|~~\\s*${name}\\b|\\b${name}\\s*(?:\\|\\s*0|>>>?\\s*0|%\\s*1)\\b`
  )
  return !rounds.test(code)
}

/** The parameters of functions inside a function or class, which callers may obtain through its results. */
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

/** Its name, or the property or variable to which it is assigned. Empty if it is returned. */
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
