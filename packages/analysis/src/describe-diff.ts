import { diffLines } from 'diff'

export interface DescribedChange {
  /** Line of the code before, from 1. */
  line: number
  kind: 'refactor' | 'optimize'
  description: string
}

interface Hunk {
  /** Lines before this hunk in the old code. */
  at: number
  removed: string[]
  added: string[]
}

const maxChanges = 100
const quoteChars = 60
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

function hunksOf(before: string, after: string): Hunk[] {
  const changes = diffLines(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false },
    { value: after, added: true, removed: false }
  ]
  const hunks: Hunk[] = []
  let at = 0
  let open: Hunk | null = null
  for (const { value, added, removed } of changes) {
    const lines = linesOf(value)
    if (!added && !removed) {
      at += lines.length
      open = null
      continue
    }
    if (open === null) hunks.push((open = { at, removed: [], added: [] }))
    if (removed) {
      open.removed.push(...lines)
      at += lines.length
    } else open.added.push(...lines)
  }
  return hunks
}

function quote(lines: readonly string[]): string {
  const text = lines.map((line) => line.trim()).find((line) => line !== '') ?? ''
  return `\`${text.length > quoteChars ? `${text.slice(0, quoteChars - 1)}…` : text}\``
}

function lineWord(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}

function describe({ removed, added }: Hunk): string {
  const old = removed.filter((line) => line.trim() !== '')
  const fresh = added.filter((line) => line.trim() !== '')
  if (old.length === 0 && fresh.length === 0) return 'Changed blank lines.'
  if (old.map((line) => line.trim()).join('\n') === fresh.map((line) => line.trim()).join('\n')) {
    return `Changed the indentation of ${lineWord(fresh.length)}.`
  }
  if (fresh.length === 0) return `Removed ${lineWord(old.length)}: ${quote(old)}.`
  if (old.length === 0) return `Added ${lineWord(fresh.length)}: ${quote(fresh)}.`
  if (old.length === 1 && fresh.length === 1) return `Replaced ${quote(old)} with ${quote(fresh)}.`
  return `Replaced ${lineWord(old.length)} starting with ${quote(old)} by ${lineWord(fresh.length)} starting with ${quote(fresh)}.`
}

/** What really changed, hunk by hunk of the line diff, with lines of the code before. */
export function describeDiff(before: string, after: string): DescribedChange[] {
  const lineCount = Math.max(1, before.split('\n').length)
  return hunksOf(before.replace(/\r\n/g, '\n'), after.replace(/\r\n/g, '\n'))
    .slice(0, maxChanges)
    .map((hunk) => ({
      // An insertion belongs to the line it follows.
      line: Math.min(Math.max(hunk.removed.length === 0 ? hunk.at : hunk.at + 1, 1), lineCount),
      kind: workInLoops.test([...hunk.removed, ...hunk.added].join('\n')) ? 'optimize' : 'refactor',
      description: describe(hunk)
    }))
}
