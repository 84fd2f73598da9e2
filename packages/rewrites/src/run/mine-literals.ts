import ts from 'typescript'
import type { Plan } from './plan.js'
import { samplesOf } from './pattern-samples.js'

type Mined = Plan['mined']

const MAX_MINED = 60
const MAX_CHARS = 40

/** The literals of the code, strings that its patterns match, and examples in its comments. */
export function minedIn(source: ts.SourceFile): Mined {
  const numbers = new Set<number>()
  const texts = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) {
      const number = Number(node.text)
      numbers.add(number)
      // It may be a character code.
      if (Number.isInteger(number) && number >= 32 && number < 0x10ffff) {
        for (const code of [number - 1, number, number + 1]) texts.add(String.fromCodePoint(code))
      }
    } else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      if (node.text !== '' && node.text.length <= MAX_CHARS && !ts.isImportDeclaration(node.parent)) {
        texts.add(node.text)
      }
    } else if (ts.isRegularExpressionLiteral(node)) for (const each of samplesOf(node.text)) texts.add(each)
    else if (ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
      texts.add(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { numbers: [...numbers], texts: [...texts], examples: examplesIn(source) }
}

/** Quoted text in a comment, or text behind words that announce an example. */
function examplesIn(source: ts.SourceFile): string[] {
  const found = new Set<string>()
  const quoted =
    /'([^'\n]{1,40})'|"([^"\n]{1,40})"|`([^`\n]{1,40})`|(?:e\.g\.|such as|i\.e\.)\s+([^\s'"`,;()]{2,40})/g
  const seen = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue
      seen.add(pos)
      for (const [, single, double, back, bare] of source.text.slice(pos, end).matchAll(quoted)) {
        found.add((single ?? double ?? back ?? bare?.replace(/[.:]$/, ''))!)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found]
}

const either = <Value>(a: readonly Value[], b: readonly Value[]): Value[] => {
  // Alternates between the versions, so that neither crowds out the other's literals.
  const all = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => [a[index], b[index]])
  return [...new Set(all.flat().filter((each) => each !== undefined))].slice(0, MAX_MINED) as Value[]
}

export const mineLiterals = (a: Mined, b: Mined): Mined => ({
  numbers: either(a.numbers, b.numbers),
  texts: either(a.texts, b.texts),
  examples: either(a.examples, b.examples)
})
