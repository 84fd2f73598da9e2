import { WHOLE } from './compare.js'
import { neededBy, sidesOf, wordOf, type RewriteInput } from './sides.js'
import { grammarOf, wordsIn, type Unit } from '@filewright/analysis/parsing'

export interface MergeInput extends RewriteInput {
  /** Names of the changed units to accept from the rewrite. */
  take: readonly string[]
}

interface Patch {
  start: number
  end: number
  text: string
}

/**
 * Puts accepted units of the rewrite, and the units that they need, into the original. Everything else stays
 * byte for byte. A unit that only replaced code used is removed.
 */
export function mergeRewrite(input: MergeInput): string {
  const { before, after, take, language } = input
  if (grammarOf(language) === null) return take.includes(WHOLE) ? after : before
  const sides = sidesOf(input)
  if (sides === null) return before
  const { old, fresh, changed, added } = sides
  const taken = changed.filter(([unit]) => take.includes(unit.name))
  if (taken.length === 0) return before
  const patches = taken.map(
    ([unit, other]): Patch => ({
      start: unit.start,
      end: unit.end,
      text: reindented(other, unit, before)
    })
  )

  // A helper goes before the first unit that uses it and belongs to the same scope.
  const placed = new Set<Unit>()
  for (const [unit, other] of taken) {
    for (const helper of neededBy(other.text, added)) {
      if (placed.has(helper)) continue
      placed.add(helper)
      if (helper.owner !== null && helper.owner !== unit.owner) continue
      const anchor = helper.isImport
        ? (old.find(({ isImport }) => isImport) ?? old[0]!)
        : helper.owner === null
          ? topUnit(unit, old)
          : unit
      const at = lineStart(before, anchor.start)
      const indent = before.slice(at, anchor.start)
      const gap = helper.isImport || /^\s*(?:const|let|var|[A-Z_]+\s*=)/.test(helper.text) ? '\n' : '\n\n'
      patches.push({ start: at, end: at, text: `${indent}${helper.text}${gap}` })
    }
  }
  const merged = apply(before, patches)
  return apply(before, [...patches, ...unused(merged)])

  function unused(code: string): Patch[] {
    const words = code.match(/[A-Za-z_$][\w$]*/g) ?? []
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return old.flatMap((unit): Patch[] => {
      const isDropped = !fresh.some(({ name }) => name === unit.name)
      const isUsed =
        unit.isImport ||
        /^export\b|^\s*(?:public|pub)\b/.test(unit.text) ||
        // In Python, other modules can import any name, but one that begins with an underscore is private.
        (language === 'python' && unit.owner === null && !wordOf(unit).startsWith('_')) ||
        [...taken].every(([each]) => !wordsIn(each.text).has(wordOf(unit)))
      if (
        !isDropped ||
        isUsed ||
        (counts.get(wordOf(unit)) ?? 0) >
          (unit.text.match(new RegExp(`\\b${wordOf(unit).replace(/\$/g, '\\$&')}\\b`, 'g'))?.length ?? 0)
      ) {
        return []
      }
      const end = /^\s*?\n(?:[ \t]*\n)?/.exec(before.slice(unit.end))?.[0].length ?? 0
      return [{ start: lineStart(before, unit.start), end: unit.end + end, text: '' }]
    })
  }
}

function topUnit(unit: Unit, units: readonly Unit[]): Unit {
  return unit.owner === null
    ? unit
    : topUnit(units.find(({ name }) => name === unit.owner) ?? { ...unit, owner: null }, units)
}

function lineStart(code: string, at: number): number {
  return code.lastIndexOf('\n', at - 1) + 1
}

/** The unit's text with the indentation of its new place. */
function reindented({ text, node }: Unit, place: Unit, before: string): string {
  const own = node.range().start.column
  const wanted = /^[ \t]*/.exec(before.slice(lineStart(before, place.start), place.start))![0]
  return wanted.length === own
    ? text
    : text
        .split('\n')
        .map((line, index) =>
          index === 0 || line.trim() === ''
            ? line
            : wanted + line.slice(Math.min(own, /^[ \t]*/.exec(line)![0].length))
        )
        .join('\n')
}

function apply(text: string, patches: readonly Patch[]): string {
  let result = ''
  let at = 0
  for (const { start, end, text: replacement } of [...patches].sort(
    (a, b) => a.start - b.start || a.end - b.end
  )) {
    if (start < at) continue
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
