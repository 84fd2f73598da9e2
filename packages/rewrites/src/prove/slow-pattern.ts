import type { Proof } from '@filewright/contracts'
import ts from 'typescript'
import { attackStringsOf, type AttackString } from '@filewright/analysis/parsing'
import { argumentsOf } from './arguments.js'
import type { LoadedCode } from './machine.js'
import { lineOf, shownCall, type Case } from './case.js'
import { reproducerOf } from './reproducer.js'

const SIZES = [2, 8, 16, 32] as const
/**
 * Each doubling of the length multiplies the work by at least this factor. Polynomials below the third degree
 * do not reach it.
 */
const MIN_GROWTH = 8
/** Smaller differences may be noise. */
const MIN_WORK = 300
const MAX_PATTERN_WORK = 1_000_000

const effect = 'the time grows exponentially with the length of the input'

/**
 * Proves that the work of a public function grows exponentially with the length of a text. A slow expression
 * alone is not enough: callers may be unable to choose its text.
 */
export async function proveSlowPattern(given: Case): Promise<Proof | null> {
  const { code, module, loaded, entries } = given
  for (const pattern of patternsAt(given)) {
    const attack = await attackOn(pattern, loaded)
    if (attack === null) continue
    for (const entry of entries) {
      const args = argumentsOf(entry, module)
      for (const place of args.places.keys()) {
        const textWith = (repeats: string): string => args.render(new Map([[place, textOf(attack, repeats)]]))
        if (!(await grows(loaded, (repeats) => `${entry.access}(${textWith(String(repeats))})`))) continue
        return {
          input: shownCall(entry, textWith('30')),
          observed: effect,
          reproducer: reproducerOf(module, `${entry.access}(${textWith('n')})`, { kind: 'growth' }, effect),
          entry_line: lineOf(entry, code)
        }
      }
    }
  }
  return null
}

const textOf = ({ before, repeated, after }: AttackString, repeats: string): string =>
  [
    ...(before === '' ? [] : [JSON.stringify(before)]),
    `${JSON.stringify(repeated)}.repeat(${repeats})`,
    ...(after === '' ? [] : [JSON.stringify(after)])
  ].join(' + ')

interface Pattern {
  source: string
  flags: string
}

const textOfPattern = ({ source, flags }: Pattern): string =>
  `new RegExp(${[source, ...(flags === '' ? [] : [flags])].map((each) => JSON.stringify(each)).join(', ')})`

/** Regular expressions on the line of the finding. */
function patternsAt({ code, line }: Case): Pattern[] {
  const source = ts.createSourceFile('code', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    const isHere = source.getLineAndCharacterOfPosition(node.getStart(source)).line === line - 1
    if (isHere && ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    if (
      isHere &&
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(source) === 'RegExp'
    ) {
      const [first] = node.arguments ?? []
      if (first !== undefined && ts.isStringLiteralLike(first)) found.push({ source: first.text, flags: '' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A text on which the pattern itself is slow. */
async function attackOn({ source, flags }: Pattern, loaded: LoadedCode): Promise<AttackString | null> {
  const pattern = textOfPattern({ source, flags })
  for (const attack of attackStringsOf(source)) {
    if (await grows(loaded, (repeats) => `${pattern}.test(${textOf(attack, String(repeats))})`)) return attack
  }
  return null
}

async function grows(loaded: LoadedCode, callWith: (repeats: number) => string): Promise<boolean> {
  const extra: number[] = []
  for (const size of SIZES) {
    const run = await loaded.run(callWith(size), MAX_PATTERN_WORK)
    // The work limit is reached with a text this short, and half the length took less than an eighth of it.
    if (run === null) return extra.length >= 2 && extra.at(-1)! * MIN_GROWTH < MAX_PATTERN_WORK
    extra.push(run.work)
    const [first = 0, last = 0, now = 0] = [extra[0], extra.at(-2), extra.at(-1)]
    if (size >= 16 && last - first >= MIN_WORK && now - first >= MIN_GROWTH * (last - first)) return true
  }
  return false
}
