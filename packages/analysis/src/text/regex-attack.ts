import type { Part } from './regex-ambiguity.js'
import { parsePattern } from './regex-danger.js'

/** A string that grows by repeating its middle part. */
export interface AttackString {
  before: string
  repeated: string
  after: string
}

/** A part that may occur more often than this is one to repeat. */
const maxRepeats = 12
/** Neighbours that accept the same characters can share this many of them in many ways. */
const manyLetters = 4
/** Of a part that must occur more often. */
const maxNeeded = 128
const maxAttacks = 32
/** Characters that patterns rarely let follow. */
const endings = ['!', '\u0000', '\n', '']
/** Readable ones first. */
const preferred = [...'a0 -_./,:;@A"\'<(', '\t', '\n'].map((letter) => letter.charCodeAt(0))

/**
 * Texts on which a pattern may go back and forth: each repetition of it that has something to repeat, with characters
 * that as many of its parts as possible accept. Which of them take long is for a run to tell.
 */
export function attackStringsOf(pattern: string): AttackString[] {
  const found: AttackString[] = []
  let branches: Part[][]
  try {
    branches = parsePattern(pattern)
  } catch {
    return []
  }
  for (const branch of branches) visit(branch, '')
  // Behind a letter that it does not match, a pattern starts once at each position of what follows.
  for (const attack of found.filter(({ before }) => before === '').slice(0, 4)) {
    found.push({ ...attack, before: attack.repeated.startsWith('!') ? 'x' : '!' })
  }
  const distinct = [...new Map(found.map((attack) => [JSON.stringify(attack), attack])).values()]
  return distinct.slice(0, maxAttacks).flatMap((attack) => endings.map((after) => ({ ...attack, after })))

  function visit(parts: readonly Part[], start: string): void {
    let before = start
    for (const part of parts) {
      if (part.kind === 'group') {
        if (part.max > maxRepeats) {
          for (const repeated of repeatsOf(part)) found.push({ before, repeated, after: '' })
        }
        for (const branch of part.branches) visit(branch, before)
      } else if (part.kind === 'set' && part.max > maxRepeats) {
        found.push({ before, repeated: letterOf(part.codes, new Map()), after: '' })
      }
      before += sampleOf(part, new Map())
    }
  }
}

/** One round of a group by each of its branches, with letters that its sets share. */
function repeatsOf({ branches }: Extract<Part, { kind: 'group' }>): Set<string> {
  const counts = new Map<number, number>()
  const count = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (part.kind === 'group') part.branches.forEach(count)
      else if (part.kind === 'set') {
        for (const code of part.codes) counts.set(code, (counts.get(code) ?? 0) + 1)
      }
    }
  }
  branches.forEach(count)
  const rounds = branches.map((branch) => branch.map((part) => sampleOf(part, counts, 1)).join(''))
  const longest = branches.map((branch) => branch.map((part) => sampleOf(part, counts, manyLetters)).join(''))
  const shortest = branches.map((branch) => branch.map((part) => sampleOf(part, counts)).join(''))
  return new Set([...shortest, ...rounds, ...longest].filter((text) => text !== ''))
}

/** A short text that a part matches, with at least so many repetitions where that is allowed. */
function sampleOf(part: Part, counts: ReadonlyMap<number, number>, least = 0): string {
  if (part.kind === 'nothing') return ''
  const repeats = Math.min(Math.max(part.min, Math.min(least, part.max)), maxNeeded)
  const once =
    part.kind === 'set'
      ? letterOf(part.codes, counts)
      : (part.branches[0] ?? []).map((each) => sampleOf(each, counts, least)).join('')
  return once.repeat(repeats)
}

function letterOf(codes: ReadonlySet<number>, counts: ReadonlyMap<number, number>): string {
  const rank = (code: number): number => {
    const at = preferred.indexOf(code)
    return at === -1 ? preferred.length + Math.abs(code - 97) : at
  }
  const [best] = [...codes]
    .filter((code) => code < 127)
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || rank(a) - rank(b))
  return best === undefined ? '' : String.fromCharCode(best)
}
