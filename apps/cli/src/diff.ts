import { paint, type Painted, type Text } from './io.js'

interface Edit {
  kind: ' ' | '-' | '+'
  text: string
}

/** The longest common subsequence by the plain table: what is sent to the service is small. */
function editsOf(before: string[], after: string[]): Edit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    end++
  }
  const a = before.slice(start, before.length - end)
  const b = after.slice(start, after.length - end)
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const edits: Edit[] = before.slice(0, start).map((text) => ({ kind: ' ', text }))
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ kind: ' ', text: a[i++] ?? '' })
      j++
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ kind: '-', text: a[i++] ?? '' })
    } else edits.push({ kind: '+', text: b[j++] ?? '' })
  }
  return [...edits, ...before.slice(before.length - end).map((text): Edit => ({ kind: ' ', text }))]
}

const CONTEXT = 3
const NO_NEWLINE = '\n\\ No newline at end of file'

/** The last newline ends a line and begins none; where there is none, patch is told. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push(`${lines.pop()}${NO_NEWLINE}`)
  return lines
}

/** A unified diff, as patch takes it. */
export function unifiedDiff(path: string, before: string, after: string): Text {
  const edits = editsOf(linesOf(before), linesOf(after))
  const near = edits.map((_, i) =>
    edits.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ kind }) => kind !== ' ')
  )
  const name = path.replace(/^\/+/, '')
  const out: Array<string | Painted> = [paint('bold', `--- a/${name}`), paint('bold', `+++ b/${name}`)]
  let [oldLine, newLine] = [1, 1]
  for (let i = 0; i < edits.length; ) {
    if (near[i] !== true) {
      oldLine++
      newLine++
      i++
      continue
    }
    const hunk: Edit[] = []
    const [oldStart, newStart] = [oldLine, newLine]
    for (; i < edits.length && near[i] === true; i++) {
      const edit = edits[i]
      if (edit === undefined) break
      hunk.push(edit)
      if (edit.kind !== '+') oldLine++
      if (edit.kind !== '-') newLine++
    }
    out.push(paint('cyan', `@@ -${oldStart},${oldLine - oldStart} +${newStart},${newLine - newStart} @@`))
    for (const { kind, text } of hunk) {
      out.push(kind === ' ' ? ` ${text}` : paint(kind === '-' ? 'red' : 'green', kind + text))
    }
  }
  return out.flatMap((line) => [line, '\n'])
}
