import type { Proof } from '@filewright/contracts'
import ts from 'typescript'
import { attackStringsOf, type AttackString } from '@filewright/analysis/parsing'
import { literalsIn, samplesOf } from '../run/pattern-samples.js'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import type { LoadedCode } from './machine.js'
import { changedModule, madePatternsAt } from './module-text.js'
import { reproducerOf } from './reproducer.js'

type RunWork = (expression: string) => Promise<number | null>

/** Beginnings of texts that are tried for each. */
const MAX_STARTS = 7
const MAX_PATTERN_WORK = 400_000
/** Below it the difference may be chance. */
const MIN_WORK = 300
/** Growth up to this much work is no chance. Going on would cost an instance of the sandbox. */
const ENOUGH_WORK = 40_000
/** An exponential is clear earlier. */
const ENOUGH_FOR_EXPONENT = 6_000

const EXPONENTIAL_SIZES = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33] as const
/** From each size to the next the work of an exponential grows by the same factor, which is at least this. */
const MIN_GROWTH = 2.8
/** That of a power falls to less than this part of the factor before it, as long as it is above the minimum. */
const MIN_STEADY = 0.8
/** From this size on, an exponential grows by more than this. */
const CLEAR_EXPONENT = 15
const MIN_FLAT = 1.5
/** No exponential of that growth ends within the limit of work here. A function that refuses long texts does. */
const LONG = 48

/** Each twice the one before. Work that grows with the square reaches `ENOUGH_WORK` before the end. */
const POWER_SIZES = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] as const
/** Twice the length takes twice the work if it is linear, and four times if it is a square. */
const MIN_POWER = 3.2
/** A pattern alone shows its power from this size on. */
const CLEAR_SIZE = 64
/** Texts of each kind of growth that are tried on functions. */
const MAX_ATTACKS = 2
/** The share of the work that has to disappear with the pattern. */
const MIN_SHARE = 0.7

/** How the work grows with the number of repetitions. */
interface Growth {
  isExponential: boolean
  /** A number of repetitions, and its work: the limit where it is above that. */
  size: number
  work: number
}

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
  const others = literalsIn(code, line)
  const starts = [
    '',
    ...new Set(others.flatMap((literal) => samplesOf(literal).slice(0, 1).flatMap(startsOf)))
  ].slice(0, MAX_STARTS)
  const leftOut = call.places.flatMap(({ others, declared }, each) =>
    each !== place && [...others, ...declared].includes('undefined') ? [[each, 'undefined'] as const] : []
  )
  const callWith =
    (start: string, rest: ReadonlyArray<readonly [number, string]>) =>
    (repeats: number | string): string =>
      call.render(
        new Map([...rest, [place, textOf({ ...attack, before: start + attack.before }, String(repeats))]])
      )
  for (const rest of leftOut.length > 0 ? [[], leftOut] : [[]]) {
    for (const start of starts) {
      const growth = await growthOf(workIn(loaded), callWith(start, rest), attack.growth.isExponential)
      if (growth !== null) return [callWith(start, rest), growth]
    }
  }
  return [callWith('', []), null]
}

/** The last letter may belong to what follows. */
const startsOf = (sample: string): string[] => [sample.slice(0, -1), sample]

const workIn =
  ({ run }: Pick<LoadedCode, 'run'>): RunWork =>
  async (expression) =>
    (await run(expression, MAX_PATTERN_WORK))?.work ?? null

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

async function growthOf(
  run: RunWork,
  callWith: (repeats: number) => string,
  isExponential: boolean
): Promise<Growth | null> {
  if (!isExponential) {
    const power = await powerOf(run, callWith, POWER_SIZES.at(-1)!)
    const longer = power === null ? 0 : await run(callWith(power.size * 8))
    // A function that refuses long texts has no such work.
    return longer === null ? power : null
  }
  const growth = await exponentialOf(run, callWith)
  if (growth === null) return null
  const isLong = (await run(callWith(LONG))) === null
  return isLong ? { isExponential, size: LONG, work: MAX_PATTERN_WORK } : null
}

async function exponentialOf(run: RunWork, callWith: (repeats: number) => string): Promise<Growth | null> {
  let base = 0
  let last = 0
  let growth = 0
  for (const size of EXPONENTIAL_SIZES) {
    const ended = await run(callWith(size))
    const work = ended ?? MAX_PATTERN_WORK
    if (size === 0) base = work
    const now = work - base
    const next = last > 0 ? now / last : 0
    // At the limit of work the factor is only known to be at least this.
    const isSteady = ended === null || next >= MIN_STEADY * growth
    const isGrowing = last >= MIN_WORK && growth > 0 && next >= MIN_GROWTH && isSteady
    if (isGrowing && now >= ENOUGH_FOR_EXPONENT) return { isExponential: true, size, work }
    if (ended === null && last >= MIN_WORK && (await isFast(size, last))) {
      return { isExponential: true, size, work }
    }
    const isFlat = size >= CLEAR_EXPONENT && (now < MIN_WORK || next < MIN_FLAT)
    if (ended === null || isFlat) return null
    growth = next
    last = now
  }
  return null

  /** Whether the work has grown by the same factor twice, one repetition at a time. */
  async function isFast(size: number, before: number): Promise<boolean> {
    const first = ((await run(callWith(size - 2))) ?? MAX_PATTERN_WORK) - base
    const second = ((await run(callWith(size - 1))) ?? MAX_PATTERN_WORK) - base
    const factor = first / before
    return factor >= MIN_GROWTH && second / first >= MIN_STEADY * factor
  }
}

const powerOfPattern: typeof exponentialOf = async (run, callWith) => await powerOf(run, callWith, CLEAR_SIZE)

/**
 * The work of each size is a multiple of that of its half.
 * @param clearSize the size from which on it must be: beside other work it shows later
 */
async function powerOf(
  run: RunWork,
  callWith: (repeats: number) => string,
  clearSize: number
): Promise<Growth | null> {
  let base = 0
  let last = 0
  let steps = 0
  for (const size of POWER_SIZES) {
    const ended = await run(callWith(size))
    const work = ended ?? MAX_PATTERN_WORK
    if (size === 0) base = work
    const now = work - base
    steps = last >= MIN_WORK && now / last >= MIN_POWER ? steps + 1 : 0
    if (now >= ENOUGH_WORK && steps >= 2) return { isExponential: false, size, work }
    if (ended === null || (size > clearSize && now / last < MIN_POWER - 0.5)) return null
    last = now
  }
  return null
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
