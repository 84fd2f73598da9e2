import type { Language } from '@filewright/contracts'
import { wordsIn } from '../units/names.js'
import { tokensOf, sameTokens, unitsOf, type Unit } from '../units/units.js'

/** A function that was renamed, taken out of another one or written into it. */
export interface NamedChange {
  /** Line of the code before, from 1. */
  line: number
  description: string
  /** The first and last line that it explains, in the code before and after. */
  old: readonly [number, number] | null
  fresh: readonly [number, number] | null
  /** What every place that speaks of it changed. */
  renamed?: { from: string; to: string }
}

const linesOf = ({ node }: Unit): [number, number] => [node.range().start.line + 1, node.range().end.line + 1]
/** Without its class and the number that tells two of one name apart. */
const shortName = ({ name }: Unit): string =>
  name
    .replace(/ #\d+$/, '')
    .replace(/^.*\./, '')
    .replace(/\(.*\)$/, '')
const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

/** Fewer pieces than this are in every function. */
const LEAST_PIECES = 6
const LEAST_SHARE = 0.5

/** Pieces of three tokens, without the head that a function has of its own. */
function piecesOf(unit: Unit): string[] {
  const tokens = tokensOf(unit.node)
  const body = tokens.slice(Math.max(0, tokens.indexOf('{') + 1))
  return body.slice(2).map((token, index) => `${body[index]} ${body[index + 1]} ${token}`)
}

/** The share of one unit's text that stands in another. */
function shareIn(part: Unit, whole: Unit): number {
  const pieces = piecesOf(part)
  if (pieces.length < LEAST_PIECES) return 0
  const there = new Set(piecesOf(whole))
  return pieces.filter((piece) => there.has(piece)).length / pieces.length
}

function isRenamed(old: Unit, fresh: Unit): boolean {
  const [from, to] = [shortName(old), shortName(fresh)]
  if (from === to || !isName(from) || !isName(to) || old.owner !== fresh.owner) return false
  const [before, after] = [tokensOf(old.node), tokensOf(fresh.node)]
  return (
    before.includes(from) &&
    sameTokens(
      before.map((token) => (token === from ? to : token)),
      after
    )
  )
}

/** What happened to whole functions. Empty for languages that no parser of ours can take apart. */
export function namedChanges(before: string, after: string, language: Language): NamedChange[] {
  const [old, fresh] = [unitsOf(before, language), unitsOf(after, language)]
  if (old === null || fresh === null) return []
  const isIn = (list: readonly Unit[], { name }: Unit): boolean => list.some((each) => each.name === name)
  const gone = old.filter((unit) => !unit.isImport && !isIn(fresh, unit))
  const come = fresh.filter((unit) => !unit.isImport && !isIn(old, unit))
  const found: NamedChange[] = []
  const told = new Set<Unit>()

  for (const unit of gone) {
    const twin = come.find((each) => !told.has(each) && isRenamed(unit, each))
    if (twin === undefined) continue
    told.add(unit).add(twin)
    const [from, to] = [shortName(unit), shortName(twin)]
    found.push({
      line: linesOf(unit)[0],
      description: `Renamed \`${from}\` to \`${to}\`.`,
      old: null,
      fresh: null,
      renamed: { from, to }
    })
  }

  /** Pairs of one function whose text differs. */
  const changed = old.flatMap((unit): Array<[Unit, Unit]> => {
    const other = fresh.find(({ name }) => name === unit.name)
    return other === undefined || unit.isImport || unit.text === other.text ? [] : [[unit, other]]
  })
  for (const unit of come) {
    if (told.has(unit) || !isName(shortName(unit))) continue
    const home = changed.find(
      ([was, is]) => wordsIn(is.text).has(shortName(unit)) && shareIn(unit, was) >= LEAST_SHARE
    )
    if (home === undefined) continue
    found.push({
      line: linesOf(home[0])[0],
      description: `Extracted \`${shortName(unit)}\` from \`${shortName(home[0])}\`.`,
      old: null,
      fresh: linesOf(unit)
    })
  }
  for (const unit of gone) {
    if (told.has(unit) || !isName(shortName(unit))) continue
    const home = changed.find(
      ([was, is]) =>
        wordsIn(was.text).has(shortName(unit)) &&
        !wordsIn(is.text).has(shortName(unit)) &&
        shareIn(unit, is) >= LEAST_SHARE
    )
    if (home === undefined) continue
    found.push({
      line: linesOf(unit)[0],
      description: `Inlined \`${shortName(unit)}\` into \`${shortName(home[1])}\`.`,
      old: linesOf(unit),
      fresh: null
    })
  }
  return found
}
