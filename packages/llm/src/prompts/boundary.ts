import { createHash } from 'node:crypto'

/** A boundary, wherever it is. Models sometimes copy one into their response. */
export const boundaryLine = /^[ \t]*(?:<<<[a-z]+ [0-9a-f]{16}|[a-z]+ [0-9a-f]{16}>>>)[ \t]*$/

function markOf(texts: readonly string[], round: number): string {
  const hash = createHash('sha256').update(String(round))
  for (const text of texts) hash.update(`\0${text.length}\0`).update(text)
  return hash.digest('hex').slice(0, 16)
}

/**
 * A mark that none of the texts contains. It is derived from their hash, so a text cannot contain its own
 * mark and end its block early; and the same request makes the same prompt.
 */
export function markFor(...texts: string[]): string {
  let round = 0
  let mark = markOf(texts, round)
  while (texts.some((text) => text.includes(mark))) mark = markOf(texts, ++round)
  return mark
}

/** Untrusted text as a block that only its own mark can end. */
export function block(label: string, text: string, mark: string): string {
  return `<<<${label} ${mark}\n${text}\n${label} ${mark}>>>`
}

/** One untrusted word or short phrase, such as a framework's name, made safe for a line of the prompt. */
export function inlineWord(text: string): string {
  return text
    .replace(/[^\p{L}\p{N} .+#/_@-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
}

/** `Name: value` lines, without empty values. */
export function headerLines(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => [name, inlineWord(value ?? '')])
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
