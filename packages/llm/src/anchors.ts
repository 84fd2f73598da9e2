/** Lines as editors count them; a final line break does not start another line. */
export function splitLines(code: string): string[] {
  const lines = code.split(/\r\n|\n|\r/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * FNV-1a, folded to twelve bits: enough to detect a model that miscounts, and short enough to be copied
 * correctly.
 */
function hashOf(line: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < line.length; index++) {
    hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193)
  }
  const folded = (hash ^ (hash >>> 12) ^ (hash >>> 24)) & 0xfff
  return folded.toString(16).padStart(3, '0')
}

/** `LINE#HASH`: names a line and proves that its content was read. Line numbers start at 1. */
export function anchorOf(lineNumber: number, line: string): string {
  return `${lineNumber}#${hashOf(line)}`
}

export interface AnchoredCode {
  lines: readonly string[]
  /** The anchor of line n is at n - 1. */
  anchors: readonly string[]
  /** The code as the model sees it: `12#a3f|const a = 1`. */
  numbered: string
}

export function anchorCode(code: string): AnchoredCode {
  const lines = splitLines(code)
  const anchors = lines.map((line, index) => anchorOf(index + 1, line))
  return { lines, anchors, numbered: lines.map((line, index) => `${anchors[index]}|${line}`).join('\n') }
}
