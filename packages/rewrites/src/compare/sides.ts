import type { Language } from '@filewright/contracts'
import { sameTokens, tokensOf, unitsOf, wordsIn, type Unit } from '@filewright/analysis/parsing'

export interface RewriteInput {
  before: string
  after: string
  language: Language
}

/** The parts of both versions, side by side. */
export interface Sides {
  old: Unit[]
  fresh: Unit[]
  /** Pairs of changed units. A class whose declaration changed is one unit with all its members. */
  changed: Array<[Unit, Unit]>
  /** Units that exist only in the rewrite. */
  added: Unit[]
}

export function sidesOf({ before, after, language }: RewriteInput): Sides | null {
  const [old, fresh] = [unitsOf(before, language), unitsOf(after, language)]
  if (old === null || fresh === null) return null
  const find = (list: readonly Unit[], name: string): Unit | undefined =>
    list.find((unit) => unit.name === name)
  const whole = new Set(
    old
      .filter((unit) => unit.shell !== null && !sameTokens(unit.shell, find(fresh, unit.name)?.shell ?? []))
      .map(({ name }) => name)
  )
  const changed = old.flatMap((unit): Array<[Unit, Unit]> => {
    const other = find(fresh, unit.name)
    if (
      other === undefined ||
      (unit.owner !== null && whole.has(unit.owner)) ||
      (unit.shell !== null && !whole.has(unit.name))
    ) {
      return []
    }
    return sameTokens(tokensOf(unit.node), tokensOf(other.node)) ? [] : [[unit, other]]
  })
  const added = fresh.filter(
    (unit) =>
      find(old, unit.name) === undefined &&
      !(unit.owner !== null && (whole.has(unit.owner) || find(old, unit.owner) === undefined))
  )
  return { old, fresh, changed, added }
}

/** The name by which other units refer to this one. */
export function wordOf({ name }: Unit): string {
  return /([\w$]+)(?:\(.*\))?(?: #\d+)?$/.exec(name)?.[1] ?? name
}

/** The units that a text uses, and the units that they use in turn. */
export function neededBy(text: string, added: readonly Unit[]): Unit[] {
  const needed = new Set<Unit>()
  const texts = [text]
  for (let current = texts.pop(); current !== undefined; current = texts.pop()) {
    const words = wordsIn(current)
    for (const unit of added) {
      const names = unit.isImport
        ? importedBy(unit)
        : unit.name.split(', ').length > 1
          ? unit.name.split(', ')
          : [wordOf(unit)]
      if (needed.has(unit) || !names.some((name) => words.has(name))) continue
      needed.add(unit)
      if (!unit.isImport) texts.push(unit.text)
    }
  }
  return [...needed]
}

function importedBy(unit: Unit): string[] {
  return [...wordsIn(unit.text.replace(/["'][^"']*["']/g, ''))].filter(
    (word) => !/^(?:import|from|as|type|use|require|const)$/.test(word)
  )
}
