import ts from 'typescript'

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken
])

/** Whether a comparison is about strings or numbers that inputs could hold. */
export function isTelling({ left, right, operatorToken, parent }: ts.BinaryExpression): boolean {
  const isMute = (each: ts.Expression): boolean =>
    ts.isTypeOfExpression(each) ||
    each.kind === ts.SyntaxKind.NullKeyword ||
    each.kind === ts.SyntaxKind.TrueKeyword ||
    each.kind === ts.SyntaxKind.FalseKeyword ||
    (ts.isIdentifier(each) && each.text === 'undefined')
  // The condition of a counting loop says nothing new at its end.
  return comparisons.has(operatorToken.kind) && !ts.isForStatement(parent) && !isMute(left) && !isMute(right)
}

const searches = new Set([
  'has',
  'get',
  'includes',
  'indexOf',
  'hasOwn',
  'hasOwnProperty',
  'startsWith',
  'endsWith'
])

/** Whether a call looks for its last argument in something. */
export function isSearch({ expression, arguments: list }: ts.CallExpression): boolean {
  const last = list.at(-1)
  if (
    last === undefined ||
    ts.isSpreadElement(last) ||
    ts.isFunctionLike(last) ||
    ts.isClassExpression(last)
  ) {
    return false
  }
  if (!ts.isPropertyAccessExpression(expression)) return false
  const { name, expression: target } = expression
  const isBorrowed =
    name.text === 'call' && ts.isPropertyAccessExpression(target) && target.name.text === 'hasOwnProperty'
  return isBorrowed || searches.has(name.text)
}
