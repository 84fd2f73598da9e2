import ts from 'typescript'

/** What may take the place of a part of an input. */
export interface Pool {
  texts: readonly string[]
  numbers: readonly number[]
  pairs: ReadonlyArray<readonly [string | number, string | number]>
  /** Whether the code asks elsewhere whether a property of that name is there. */
  mayBeMissing: (name: string) => boolean
}

const MAX_CHARS = 2_000
const MAX_ELEMENTS = 6

/** Arguments with one part changed for another one of the same kind. Null if there is nothing to change. */
export function changeInput(args: string, pool: Pool, random: () => number): string | null {
  if (args.length > MAX_CHARS) return null
  const before = 'f('
  const source = ts.createSourceFile('input.js', `${before}${args})`, ts.ScriptTarget.Latest, true)
  const parts: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isRegularExpressionLiteral(node)) return
    // What stands for the outside keeps its name.
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'standIn') return
    const isPart =
      ts.isStringLiteral(node) ||
      ts.isNumericLiteral(node) ||
      ts.isArrayLiteralExpression(node) ||
      ts.isObjectLiteralExpression(node) ||
      node.kind === ts.SyntaxKind.TrueKeyword ||
      node.kind === ts.SyntaxKind.FalseKeyword
    const isKey =
      ts.isPropertyAssignment(node.parent ?? node) && (node.parent as ts.PropertyAssignment).name === node
    if (isPart && !isKey) parts.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const pick = <Value>(list: readonly Value[]): Value | undefined => list[Math.floor(random() * list.length)]
  const node = pick(parts)
  if (node === undefined) return null
  const value = changed(node, source, pool, random, pick)
  if (value === null) return null
  const text = source.text.slice(0, node.getStart(source)) + value + source.text.slice(node.end)
  return text.slice(before.length, -1)
}

function changed(
  node: ts.Node,
  source: ts.SourceFile,
  { texts, numbers, pairs, mayBeMissing }: Pool,
  random: () => number,
  pick: <Value>(list: readonly Value[]) => Value | undefined
): string | null {
  if (ts.isStringLiteral(node)) {
    const { text } = node
    // What the code compared it with comes first.
    const partners = pairs.flatMap(([one, other]) =>
      one === text
        ? [other]
        : other === text
          ? [one]
          : text !== '' && String(one).includes(text)
            ? [other]
            : []
    )
    const partner = pick(partners)
    if (partner !== undefined && random() < 0.6) return JSON.stringify(String(partner))
    const other = pick(texts) ?? 'y'
    const made = pick([other, '', text + other, other + text, `${text}${other}${text}`, text + text, 'y'])
    return JSON.stringify(made)
  }
  if (ts.isNumericLiteral(node)) {
    const number = Number(node.text)
    const partners = pairs.flatMap(([one, other]) =>
      one === number ? [other] : other === number ? [one] : []
    )
    const partner = pick(partners.filter((each) => typeof each === 'number'))
    if (partner !== undefined && random() < 0.6) return `${partner}`
    return `${pick([0, 1, 2, 3, number + 1, number - 1, ...numbers]) ?? 0}`
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (ts.isArrayLiteralExpression(node)) {
    const elements = node.elements.map((each) => each.getText(source))
    const turn = random()
    if (turn < 0.3 || elements.length === 0) return elements.length === 0 ? null : '[]'
    if (turn < 0.5) return `[${elements.slice(1).join(', ')}]`
    if (elements.length >= MAX_ELEMENTS) return null
    return `[${[...elements, pick(elements)!].join(', ')}]`
  }
  if (ts.isObjectLiteralExpression(node)) {
    const kept = node.properties.filter(({ name }) => {
      const key = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : ''
      return key === '' || !mayBeMissing(`.${key}`)
    })
    const dropped = node.properties.filter((each) => !kept.includes(each))
    const gone = pick(dropped)
    if (gone === undefined) return null
    const rest = node.properties.filter((each) => each !== gone).map((each) => each.getText(source))
    return rest.length === 0 ? '{}' : `{ ${rest.join(', ')} }`
  }
  return null
}
