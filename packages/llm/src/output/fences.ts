export interface Fence {
  /** First word of the info string, in lower case; empty when there is none. */
  language: string
  code: string
  closed: boolean
  /** The words directly before the fence, such as "Usage:" or a file name. */
  label: string
  /** All text since the previous fence. */
  prose: string
  /** What follows the first word of the info string, such as `title="a.js"`. */
  info: string
  /** Line of the opening mark, starting at 0. */
  start: number
  /** Line of the closing mark; for a fence without an end, the line after the last. */
  end: number
}

// A fence may follow a list marker's indentation or, in chat models, the end of a sentence.
const OPENING = /^([^`~]*)(`{3,20}|~{3,20})[ \t]*\{?\.?([A-Za-z0-9_+#./-]*)([^`]*)$/
const CLOSING = /^([ \t]*)(`{3,20}|~{3,20})[ \t]*$/
/** A mark indented this much further than its opening is code, as in Markdown. */
const CODE_INDENT = 4
const HOLDS_FENCES = new Set(['markdown', 'md', 'mdx'])

interface Open {
  mark: string
  indent: number
  language: string
  lines: string[]
  label: string
  prose: string
  info: string
  start: number
  /** Fences opened inside a Markdown document and not closed yet. */
  nested: number
}

function outdent(line: string, indent: number): string {
  let cut = 0
  while (cut < indent && (line[cut] === ' ' || line[cut] === '\t')) cut++
  return line.slice(cut)
}

function opened(line: string, start: number, said: readonly string[]): Open | undefined {
  const [, before = '', mark = '', language = '', info = ''] = OPENING.exec(line) ?? []
  // A word directly before the fence means that it is part of something.
  if (mark === '' || /[\w$'"]$/.test(before)) return undefined
  const indent = before.trim() === '' ? before.length : 0
  return {
    mark,
    indent,
    language: language.toLowerCase(),
    lines: [],
    label: before.trim() === '' ? (said.at(-1) ?? '') : before.trim(),
    prose: [...said, before.trim()].join('\n').trim(),
    info: info.trim(),
    start,
    nested: 0
  }
}

function closes(line: string, { mark, indent }: Open): boolean {
  const [, before = '', closing = ''] = CLOSING.exec(line) ?? []
  return closing[0] === mark[0] && closing.length >= mark.length && before.length < indent + CODE_INDENT
}

function finished({ language, lines, label, prose, info, start }: Open, closed: boolean, end: number): Fence {
  return { language, code: lines.join('\n'), closed, label, prose, info, start, end }
}

/**
 * The code fences of a text as a reader sees them, including a last one without an end, and one opened before
 * another was closed.
 */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  let open: Open | undefined
  let said: string[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (open === undefined) {
      open = opened(line, index, said)
      if (open === undefined && line.trim() !== '') said.push(line.trim())
      continue
    }
    if (closes(line, open)) {
      if (open.nested === 0) {
        fences.push(finished(open, true, index))
        open = undefined
        said = []
        continue
      }
      open.nested--
    } else {
      const inner = line.trim().startsWith(open.mark) ? opened(line, index, []) : undefined
      if (inner !== undefined && inner.language !== '' && inner.mark[0] === open.mark[0]) {
        if (!HOLDS_FENCES.has(open.language)) {
          fences.push(finished(open, false, index))
          open = inner
          continue
        }
        open.nested++
      }
    }
    open.lines.push(outdent(line, open.indent))
  }
  if (open !== undefined) {
    const last = finished(open, false, lines.length)
    const code = last.code.trimEnd()
    // The closing mark may be on the last line of code.
    fences.push({ ...last, code: code.endsWith(open.mark) ? code.slice(0, -open.mark.length) : code })
  }
  return fences
}

/** Considers at most this many closing marks. */
const MAX_READINGS = 8

/**
 * The content of a fence if marks before its end are part of the code, as in a docstring that shows a fence:
 * the code up to each later closing mark, nearest first. A parser tells which is right.
 */
export function longerReadings(text: string, { start, end }: Pick<Fence, 'start' | 'end'>): string[] {
  const lines = text.split('\n')
  const open = opened(lines[start] ?? '', start, [])
  if (open === undefined) return []
  const readings: string[] = []
  for (let index = end + 1; index < lines.length && readings.length < MAX_READINGS; index++) {
    if (closes(lines[index] ?? '', open)) {
      readings.push(
        lines
          .slice(start + 1, index)
          .map((line) => outdent(line, open.indent))
          .join('\n')
      )
    }
  }
  return readings
}
