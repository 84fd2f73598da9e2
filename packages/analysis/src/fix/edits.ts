import type { Language } from '@filewright/contracts'
import { addTo } from '../lists.js'

export interface Edit {
  start: number
  end: number
  text: string
  ruleId: string
  description: string
  /** Edits with the same group are made together or not at all. */
  group?: object
  /** Where the construct stands that the edit is about, if it is not where the text changes. */
  about?: number
}

export interface AppliedFix {
  ruleId: string
  /** In the submitted code. */
  line: number
  description: string
  kind: 'refactor' | 'optimize'
}

/** A fix and where its text changed, which may be below the line that it is about. */
export interface PlacedFix extends AppliedFix {
  readonly changedLine: number
}

/**
 * Places of one kind that are looked at closely in one round: each reads the function or the text around it,
 * which for thousands of them would take the square of the code.
 */
export const maxCandidates = 200

/** What the tools of a language can change. */
export interface Editor {
  /** Rules whose findings it can fix. */
  readonly ruleIds: readonly string[]
  edits(text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[]
  /** Why a fix is not safe in this code, for people; without any of the code. Null if none is held back. */
  heldBack?: (text: string, language: Language, ruleIds: ReadonlySet<string>) => string | null
}

export interface Edited {
  text: string
  /** One edit for each group that was made. */
  applied: Edit[]
  /** For each line of the new text, from 0, the line of the old one it stands for. */
  origins: number[]
}

/** Only what differs: ESLint replaces a whole function so that nobody else touches it meanwhile. */
function narrow(text: string, edit: Edit): Edit {
  const old = text.slice(edit.start, edit.end)
  const shorter = Math.min(old.length, edit.text.length)
  let head = 0
  while (head < shorter && old[head] === edit.text[head]) head++
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === edit.text[edit.text.length - 1 - tail]) {
    tail++
  }
  return {
    ...edit,
    start: edit.start + head,
    end: edit.end - tail,
    text: edit.text.slice(head, edit.text.length - tail)
  }
}

/**
 * An edit that would leave nothing but blanks on its line takes the line along. Where blank lines are on both
 * sides, those before it go with it.
 */
function withItsLine(text: string, edit: Edit): Edit {
  const removed = text.slice(edit.start, edit.end)
  if (edit.text.trim() !== '' || edit.text.includes('\n') || removed.trim() === '') return edit
  const start = text.lastIndexOf('\n', edit.start - 1) + 1
  // An edit that ends with a line break has its line already: the next one may be blank, and stays.
  const next = removed.endsWith('\n') ? edit.end - 1 : text.indexOf('\n', edit.end)
  if (
    next === -1 ||
    text.slice(start, edit.start).trim() !== '' ||
    text.slice(edit.end, next).trim() !== ''
  ) {
    return edit
  }
  const isBlankAfter = /^[ \t\r]*(?:\n|$)/.test(text.slice(next + 1))
  return { ...edit, start: isBlankAfter ? startOfBlanks(text, start) : start, end: next + 1, text: '' }
}

/** Where the blank lines begin that end at this line. */
function startOfBlanks(text: string, lineStart: number): number {
  let start = lineStart
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1
    if (text.slice(previous, start).trim() !== '') break
    start = previous
  }
  return start
}

/**
 * Edits that do not touch each other, first come first served; what is left out gets its turn in the next
 * round.
 */
function compatible(text: string, edits: readonly Edit[]): { made: Edit[]; applied: Edit[] } {
  const groups = new Map<object, Edit[]>()
  for (const edit of edits) addTo(groups, edit.group ?? edit, edit)
  const taken = new Uint8Array(text.length + 1)
  const made: Edit[] = []
  const applied: Edit[] = []
  for (const group of groups.values()) {
    // Touching counts as overlapping: two insertions at one place have no order.
    if (group.some(({ start, end }) => taken.subarray(start, end + 1).includes(1))) continue
    for (const { start, end } of group) taken.fill(1, start, end + 1)
    const narrowed = group.map((edit) => {
      const small = narrow(text, edit)
      const line = withItsLine(text, small)
      const isFree =
        !taken.subarray(line.start, edit.start).includes(1) &&
        !taken.subarray(edit.end + 1, line.end).includes(1)
      if (!isFree) return small
      taken.fill(1, line.start, line.end)
      return line
    })
    made.push(...narrowed)
    applied.push(narrowed[0]!)
  }
  return { made: made.sort((a, b) => a.start - b.start), applied }
}

const lineEnds = (text: string): number => text.split('\n').length - 1

export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const { made, applied } = compatible(text, edits)
  const parts: string[] = []
  const origins = [0]
  let line = 0
  let at = 0

  /** The next lines of the new text stand for the next ones of the old, as far as those go. */
  function advance(added: number, old: number): void {
    for (let index = 1; index <= added; index++) origins.push(line + Math.min(index, old))
    line += old
  }

  for (const { start, end, text: replacement } of made) {
    const kept = text.slice(at, start)
    parts.push(kept, replacement)
    advance(lineEnds(kept), lineEnds(kept))
    advance(lineEnds(replacement), lineEnds(text.slice(start, end)))
    at = end
  }
  const rest = text.slice(at)
  parts.push(rest)
  advance(lineEnds(rest), lineEnds(rest))
  return { text: parts.join(''), applied, origins }
}
