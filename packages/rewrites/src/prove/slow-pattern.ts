import type { Proof } from '@filewright/contracts'
import ts from 'typescript'
import { attackStringsOf, type AttackString } from '@filewright/analysis/parsing'
import { literalsIn, samplesOf } from '../run/pattern-samples.js'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import { exponentialOf, growthOf, powerOfPattern, workIn, type Growth, type RunWork } from './growth.js'
import { madePatternsAt } from './marks.js'
import { changedModule } from './module-text.js'
import { reproducerOf } from './reproducer.js'

/** Beginnings of texts that are tried for each. */
const MAX_STARTS = 7
/** Values of other slots that are tried. */
const MAX_RESTS = 8
/** Texts of each kind of growth that are tried on functions. */
const MAX_ATTACKS = 2
/** The share of the work that has to disappear with the pattern. */
const MIN_SHARE = 0.7

const effects = {
  exponential: 'the time grows exponentially with the length of the input',
  power: 'the time grows with a power of the length of the input'
}

/**
 * Proves that the work of a public function grows faster than the length of a text, because of the pattern. A slow
 * pattern alone is not enough: callers may be unable to choose its text.
 */
export async function proveSlowPattern(given: Case): Promise<Proof | null> {
  const { module, loaded, entries } = given
  for (const pattern of [...patternsAt(given), ...(await madePatterns(given))]) {
    for (const attack of await attacksOn(pattern, workIn(loaded))) {
      for (const entry of entries) {
        const call = callOf(entry, module)
        for (const [place, { type }] of call.places.entries()) {
          if (type !== 'text') continue
          const [callWith, growth] = await slowCall(place, call, attack, given)
          if (growth === null || !(await isOfPattern(pattern, growth, callWith, given))) continue
          const effect = growth.isExponential ? effects.exponential : effects.power
          return {
            input: shownCall(entry, callWith(growth.isExponential ? 30 : 50_000)),
            observed: effect,
            reproducer: reproducerOf(
              module,
              callWith('n'),
              { kind: growth.isExponential ? 'growth' : 'power' },
              effect
            ),
            entry_line: lineOf(entry, given)
          }
        }
      }
    }
  }
  return null
}

/** The call that is slow; beginnings that the code's other patterns match lead to patterns behind those. */
async function slowCall(
  place: number,
  call: Call,
  attack: Attack,
  { code, line, loaded }: Case
): Promise<[(repeats: number | string) => string, Growth | null]> {
  const patterns = literalsIn(code, line)
  const starts = [
    '',
    ...new Set(patterns.flatMap((literal) => samplesOf(literal).slice(0, 1).flatMap(startsOf)))
  ].slice(0, MAX_STARTS)
  const others = call.places.flatMap(({ others, declared }, each) =>
    each === place ? [] : [...others, ...declared].map((value) => [each, value] as const)
  )
  const leftOut = others.filter(([, value]) => value === 'undefined')
  const rests = [
    [],
    ...(leftOut.length > 0 ? [leftOut] : []),
    ...others.map((each) => [each]).slice(0, MAX_RESTS)
  ]
  const callWith =
    (start: string, rest: ReadonlyArray<readonly [number, string]>) =>
    (repeats: number | string): string =>
      call.render(
        new Map([...rest, [place, textOf({ ...attack, before: start + attack.before }, String(repeats))]])
      )
  for (const rest of rests) {
    for (const start of rest.length > 0 && rest !== leftOut ? [''] : starts) {
      const growth = await growthOf(workIn(loaded), callWith(start, rest), attack.growth.isExponential)
      if (growth !== null) return [callWith(start, rest), growth]
    }
  }
  return [callWith('', []), null]
}

/** The last letter may belong to what follows. */
const startsOf = (sample: string): string[] => [sample.slice(0, -1), sample]

const textOf = ({ before, repeated, after }: AttackString, repeats: string): string =>
  [
    ...(before === '' ? [] : [JSON.stringify(before)]),
    `${JSON.stringify(repeated)}.repeat(${repeats})`,
    ...(after === '' ? [] : [JSON.stringify(after)])
  ].join(' + ')

interface Pattern {
  source: string
  flags: string
  /** Where its source stands in the code, and what would replace it. */
  start: number
  end: number
  never: string
}

const textOfPattern = ({ source, flags }: Pattern): string =>
  `new RegExp(${[source, ...(flags === '' ? [] : [flags])].map((each) => JSON.stringify(each)).join(', ')})`

/** Regular expressions on the line of the finding. */
function patternsAt({ code, line }: Case): Pattern[] {
  const source = ts.createSourceFile('code', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    const start = node.getStart(source)
    const isHere = source.getLineAndCharacterOfPosition(start).line === line - 1
    if (isHere && ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const flags = node.text.slice(end + 1)
      found.push({ source: node.text.slice(1, end), flags, start, end: node.end, never: `/[]/${flags}` })
    }
    if (
      isHere &&
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(source) === 'RegExp'
    ) {
      const [first] = node.arguments ?? []
      if (first !== undefined && ts.isStringLiteralLike(first)) {
        found.push({
          source: first.text,
          flags: '',
          start: first.getStart(source),
          end: first.end,
          never: '"[]"'
        })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Those that the line makes of other texts than one string, as a run shows them. */
async function madePatterns({ code, line, module, entries, runMarked }: Case): Promise<Pattern[]> {
  const source = ts.createSourceFile('code', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const made = madePatternsAt(source, line)
  const [entry] = entries
  if (made.length !== 1 || entry === undefined) return []
  const run = await runMarked(callOf(entry, module).render(new Map()), 'usual')
  const [argument] = made
  const [start, end] = [argument!.getStart(source), argument!.end]
  return (run?.patterns ?? []).map((each) => ({ source: each, flags: '', start, end, never: '"[]"' }))
}

type Attack = AttackString & { growth: Growth }

/** Texts on which the pattern itself is slow: the first of each growth, the faster one first. */
async function attacksOn(pattern: Pattern, run: RunWork): Promise<Attack[]> {
  const text = textOfPattern(pattern)
  const attacks = attackStringsOf(pattern.source)
  const found: Attack[] = []
  for (const growthOn of [exponentialOf, powerOfPattern]) {
    let count = 0
    for (const attack of attacks) {
      const growth = await growthOn(run, (repeats) => `${text}.test(${textOf(attack, String(repeats))})`)
      if (growth === null) continue
      found.push({ ...attack, growth })
      if (++count === MAX_ATTACKS) break
    }
  }
  return found
}

/**
 * Whether the pattern makes the work: with one in its place that never matches it disappears, and it does not where
 * functions of other modules refuse such texts.
 */
async function isOfPattern(
  { start, end, never }: Pattern,
  { size, work }: Growth,
  callWith: (repeats: number) => string,
  { code, language, module, loaded }: Case
): Promise<boolean> {
  const changed = changedModule(module, code.slice(0, start) + never + code.slice(end), language)
  const call = callWith(size)
  const without = changed === null ? null : await loaded.runAlone(call, changed, 'usual')
  if (without === null || without.work > work * (1 - MIN_SHARE)) return false
  const doubtful = await loaded.runAlone(call, module.text, 'doubtful')
  return doubtful === null || doubtful.work >= work * MIN_SHARE
}
