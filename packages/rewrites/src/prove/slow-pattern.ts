import type { Proof } from '@filewright/contracts'
import ts from 'typescript'
import { attackStringsOf, type AttackString } from '@filewright/analysis/parsing'
import { argumentsOf } from './arguments.js'
import type { LoadedCode } from './machine.js'
import { lineOf, shownCall, type Case } from './case.js'
import { reproducerOf } from './reproducer.js'

const SIZES = [0, 4, 8, 12, 16, 20, 24, 28, 32] as const
/** From each size to the next the work of an exponential grows by the same factor, which is at least this. */
const MIN_GROWTH = 4
/** That of a power falls to less than this part of the factor before it, as long as it is above the minimum. */
const MIN_STEADY = 0.7
/** Below it the difference may be chance. */
const MIN_WORK = 300
const MAX_PATTERN_WORK = 1_000_000
/** No exponential of that growth ends within the limit of work here. A function that refuses long texts does. */
const LONG = 48

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
        const callWith = (repeats: number): string => `${entry.access}(${textWith(String(repeats))})`
        if (!(await grows(loaded, callWith))) continue
        if ((await loaded.run(callWith(LONG), MAX_PATTERN_WORK)) !== null) continue
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
  let base = 0
  let last = 0
  let growth = 0
  for (const size of SIZES) {
    const run = await loaded.run(callWith(size), MAX_PATTERN_WORK)
    const work = run?.work ?? MAX_PATTERN_WORK
    if (size === 0) base = work
    const now = work - base
    const next = last > 0 ? now / last : 0
    // At the limit of work the factor is only known to be at least this.
    const isSteady = run === null || next >= MIN_STEADY * growth
    if (last >= MIN_WORK && growth > 0 && next >= MIN_GROWTH && isSteady) return true
    if (run === null) return false
    growth = next
    last = now
  }
  return false
}
