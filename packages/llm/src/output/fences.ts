export interface Fence {
  /** First word of the info string, in small letters; empty when there is none. */
  language: string
  code: string
  closed: boolean
}

// A fence may follow a list marker's indentation or, from models that chat, the end of a sentence.
const OPENING = /^([^`~]*)(`{3,20}|~{3,20})[ \t]*([A-Za-z0-9_+#.-]*)[^`]*$/
const CLOSING = /^[ \t]*(`{3,20}|~{3,20})[ \t]*$/
const HOLDS_FENCES = new Set(['markdown', 'md', 'mdx'])

interface Open {
  mark: string
  indent: number
  language: string
  lines: string[]
  /** Fences opened inside a Markdown document and not closed yet. */
  nested: number
}

function outdent(line: string, indent: number): string {
  let cut = 0
  while (cut < indent && (line[cut] === ' ' || line[cut] === '\t')) cut++
  return line.slice(cut)
}

function opened(line: string): Open | undefined {
  const [, before = '', mark = '', info = ''] = OPENING.exec(line) ?? []
  // A word right before the fence means that it is part of something.
  if (mark === '' || /[\w$'"]$/.test(before)) return undefined
  const indent = before.trim() === '' ? before.length : 0
  return { mark, indent, language: info.toLowerCase(), lines: [], nested: 0 }
}

function closes(line: string, { mark }: Open): boolean {
  const closing = CLOSING.exec(line)?.[1]
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length
}

function finished(open: Open, closed: boolean): Fence {
  return { language: open.language, code: open.lines.join('\n'), closed }
}

/**
 * The code fences of a text as a reader sees them: also a last one without its end, and one begun before
 * another was ended.
 */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  let open: Open | undefined
  for (const line of text.split('\n')) {
    if (open === undefined) {
      open = opened(line)
      continue
    }
    if (closes(line, open)) {
      if (open.nested === 0) {
        fences.push(finished(open, true))
        open = undefined
        continue
      }
      open.nested--
    } else {
      const inner = line.trim().startsWith(open.mark) ? opened(line) : undefined
      if (inner !== undefined && inner.language !== '' && inner.mark[0] === open.mark[0]) {
        if (!HOLDS_FENCES.has(open.language)) {
          fences.push(finished(open, false))
          open = inner
          continue
        }
        open.nested++
      }
    }
    open.lines.push(outdent(line, open.indent))
  }
  if (open !== undefined) {
    const last = finished(open, false)
    const code = last.code.trimEnd()
    // The end of the fence may stand on the last line of code itself.
    fences.push({ ...last, code: code.endsWith(open.mark) ? code.slice(0, -open.mark.length) : code })
  }
  return fences
}
