import type { Proof } from '@filewright/contracts'
import ts from 'typescript'
import { attackStringsOf, type AttackString } from '@filewright/analysis/parsing'
import { argumentsOf } from './arguments.js'
import type { LoadedCode } from './machine.js'
import { lineOf, shownCall, type Case } from './case.js'
import { reproducerOf } from './reproducer.js'

const SIZES = [2, 8, 16, 32] as const
/** Each doubling takes the work at least this many times: a power of the length below 3 does not. */
const MIN_GROWTH = 8
/** Below it the difference may be chance. */
const MIN_WORK = 300
const MAX_PATTERN_WORK = 1_000_000

const effect = 'the time grows exponentially with the length of the input'

/**
 * The work of a function that others can call grows exponentially with the length of a text. That the expression
 * alone is slow is not enough: the text may be one that nobody else chooses.
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

/** A text that the pattern itself is slow on. */
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
    // At the limit of work with a text this short, after less than an eighth of it with half the length.
    if (run === null) return extra.length >= 2 && extra.at(-1)! * MIN_GROWTH < MAX_PATTERN_WORK
    extra.push(run.work)
    const [first = 0, last = 0, now = 0] = [extra[0], extra.at(-2), extra.at(-1)]
    if (size >= 16 && last - first >= MIN_WORK && now - first >= MIN_GROWTH * (last - first)) return true
  }
  return false
}
