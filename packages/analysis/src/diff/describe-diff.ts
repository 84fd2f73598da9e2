import type { Language } from '@filewright/contracts'
import { diffLines } from 'diff'
import { explanationFor, sentencesIn } from './explain-diff.js'
import { differingParts, quote, quoteFirst } from './quote-diff.js'
import { namedChanges, type NamedChange } from './named-changes.js'

export interface DescribedChange {
  /** Line of the code before, from 1. */
  line: number
  kind: 'refactor' | 'optimize'
  description: string
}

export interface DescribeOptions {
  /**
   * What the author of the change says about it: a sentence of it is used where it speaks of the same code.
   */
  words?: string | undefined
  /** With it, functions that were renamed, extracted or inlined are named. */
  language?: Language | undefined
  /** With it, hunks are told that change nothing but spaces, and their number has no limit. */
  hasEveryHunk?: boolean | undefined
}

export interface Hunk {
  /** Lines before this hunk in the old code. */
  at: number
  /** Lines before it in the new code. */
  freshAt: number
  removed: string[]
  added: string[]
}

const maxChanges = 100
/**
 * Two texts that share nothing make a diff quadratic; beyond this many edits the whole text counts as
 * replaced.
 */
const maxEditLength = 3_000

const workInLoops =
  /\b(?:for|while|await|yield|async)\b|Promise\.all|\.(?:map|filter|reduce|forEach|some|every|find|includes|indexOf|has|join|push_str|append)\(|\b(?:Map|Set|HashSet|HashMap|StringBuilder|strings\.Builder|cache|memo\w*)\b|\bin\s*\(|\bJOIN\b/

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Lines that differ. With `areJoined`, those that only a blank line or a bracket separates are one hunk. */
export function hunksOf(before: string, after: string, { areJoined = false } = {}): Hunk[] {
  const changes = diffLines(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false },
    { value: after, added: true, removed: false }
  ]
  const hunks: Hunk[] = []
  let at = 0
  let freshAt = 0
  let open: Hunk | null = null
  for (const { value, added, removed } of changes) {
    const lines = linesOf(value)
    if (!added && !removed) {
      at += lines.length
      freshAt += lines.length
      // A blank line or a lone bracket between two changes does not make them two ideas.
      if (
        areJoined &&
        open !== null &&
        lines.every((line) => /^[\s)}\]];?$|^\s*[)}\]]*[;,]?\s*$/.test(line)) &&
        lines.length <= 2
      ) {
        open.removed.push(...lines)
        open.added.push(...lines)
      } else open = null
      continue
    }
    if (open === null) hunks.push((open = { at, freshAt, removed: [], added: [] }))
    if (removed) {
      open.removed.push(...lines)
      at += lines.length
    } else {
      open.added.push(...lines)
      freshAt += lines.length
    }
  }
  return hunks
}

function lineWord(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}

const filled = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== '')
const trimmed = (lines: readonly string[]): string =>
  filled(lines)
    .map((line) => line.trim())
    .join('\n')
/** Spaces, semicolons and the kind of quotes are no change that is worth a word. */
const tokens = (lines: readonly string[]): string =>
  lines
    .join('')
    .replace(/[\s;]+/g, '')
    .replace(/["'`]/g, '"')
    .replace(/,(?=[)\]}])/g, '')

export function describe({ removed, added }: Hunk): string {
  const [old, fresh] = [filled(removed), filled(added)]
  if (old.length === 0 && fresh.length === 0) return 'Changed blank lines.'
  if (trimmed(old) === trimmed(fresh)) return `Changed the indentation of ${lineWord(fresh.length)}.`
  if (fresh.length === 0) return `Removed ${lineWord(old.length)}: ${quoteFirst(old)}.`
  if (old.length === 0) return `Added ${lineWord(fresh.length)}: ${quoteFirst(fresh)}.`
  if (old.length === 1 && fresh.length === 1) {
    const [was, is] = differingParts(old[0]!.trim(), fresh[0]!.trim())
    return is === ''
      ? `Removed ${quote(was)}.`
      : was === ''
        ? `Added ${quote(is)}.`
        : `Replaced ${quote(was)} with ${quote(is)}.`
  }
  const [first, ...rest] = fresh
  return `Replaced ${lineWord(old.length)} from ${quoteFirst(old)} with ${rest.length === 0 ? quote(first!.trim()) : `${lineWord(fresh.length)} from ${quoteFirst(fresh)}`}.`
}

interface Change {
  hunk: Hunk
  description: string
}

/** Text that goes at one place and comes at another was moved. */
function withMoves(hunks: readonly Hunk[]): Change[] {
  const insertions = hunks.filter(
    ({ removed, added }) => filled(removed).length === 0 && filled(added).length > 0
  )
  const targets = new Map(insertions.map((hunk) => [trimmed(hunk.added), hunk]))
  const used = new Set<Hunk>()
  const changes = hunks.map((hunk): Change => {
    const target = filled(hunk.added).length === 0 ? targets.get(trimmed(hunk.removed)) : undefined
    if (target === undefined || used.has(target)) return { hunk, description: describe(hunk) }
    used.add(target)
    return {
      hunk,
      description: `Moved ${lineWord(filled(hunk.removed).length)} from ${quoteFirst(hunk.removed)}.`
    }
  })
  return changes.filter(({ hunk }) => !used.has(hunk))
}

/** Whether a change of a whole function says all that there is to say about these lines. */
function isToldBy(hunk: Hunk, { old, fresh, renamed }: NamedChange): boolean {
  if (renamed !== undefined) {
    const { from, to } = renamed
    const word = new RegExp(`(?<![\\w$])${from.replace(/\$/g, '\\$&')}(?![\\w$])`, 'g')
    return tokens(hunk.removed.map((line) => line.replace(word, () => to))) === tokens(hunk.added)
  }
  const [lines, others, range, at] =
    fresh === null
      ? [hunk.removed, hunk.added, old, hunk.at]
      : [hunk.added, hunk.removed, fresh, hunk.freshAt]
  if (range === null || filled(others).length > 0) return false
  const first = at + 1 + lines.findIndex((line) => line.trim() !== '')
  return first >= range[0] && at + lines.join('\n').trimEnd().split('\n').length <= range[1]
}

/** What really changed, one idea at a time, with lines of the code before. */
export function describeDiff(
  before: string,
  after: string,
  { words = '', language, hasEveryHunk = false }: DescribeOptions = {}
): DescribedChange[] {
  const lineCount = Math.max(1, before.split('\n').length)
  const [old, fresh] = [before.replace(/\r\n/g, '\n'), after.replace(/\r\n/g, '\n')]
  const named = language === undefined || hasEveryHunk ? [] : namedChanges(old, fresh, language)
  const changes = withMoves(
    hunksOf(old, fresh, { areJoined: !hasEveryHunk }).filter(
      (hunk) => !named.some((change) => isToldBy(hunk, change))
    )
  )
  const telling = changes.filter(({ hunk }) => tokens(hunk.removed) !== tokens(hunk.added))
  const sentences = sentencesIn(words)
  const hasTelling = !hasEveryHunk && (telling.length > 0 || named.length > 0)
  const described = (hasTelling ? telling : changes).map(({ hunk, description }): DescribedChange => {
    const said = explanationFor(hunk, sentences)
    return {
      // An insertion belongs to the line it follows.
      line: Math.min(Math.max(hunk.removed.length === 0 ? hunk.at : hunk.at + 1, 1), lineCount),
      kind: workInLoops.test([...hunk.removed, ...hunk.added].join('\n')) ? 'optimize' : 'refactor',
      description: said === null ? description : `${description} ${said}`
    }
  })
  const whole = named.map(
    ({ line, description }): DescribedChange => ({
      line,
      kind: 'refactor',
      description
    })
  )
  return [...whole, ...described]
    .sort((a, b) => a.line - b.line)
    .slice(0, hasEveryHunk ? Infinity : maxChanges)
}
