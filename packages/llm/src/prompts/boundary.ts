import { createHash } from 'node:crypto'

/** How a boundary looks, wherever it stands. Models sometimes copy one into their answer. */
export const boundaryLine = /^[ \t]*(?:<<<[a-z]+ [0-9a-f]{16}|[a-z]+ [0-9a-f]{16}>>>)[ \t]*$/

function markOf(texts: readonly string[], round: number): string {
  const hash = createHash('sha256').update(String(round))
  for (const text of texts) hash.update(`\0${text.length}\0`).update(text)
  return hash.digest('hex').slice(0, 16)
}

/**
 * A mark that none of the texts contains. It is made from their hash, so nobody can write a text that holds
 * its own mark and so ends its block early; and the same request makes the same prompt.
 */
export function markFor(...texts: string[]): string {
  let round = 0
  let mark = markOf(texts, round)
  while (texts.some((text) => text.includes(mark))) mark = markOf(texts, ++round)
  return mark
}

/** Text of others as a block that only its own mark can end. */
export function block(label: string, text: string, mark: string): string {
  return `<<<${label} ${mark}\n${text}\n${label} ${mark}>>>`
}

/** One word or short phrase of others, such as a framework's name, made fit to stand in a line of ours. */
export function inlineWord(text: string): string {
  return text
    .replace(/[^\p{L}\p{N} .+#/_@-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
}

/** `Name: value` lines, without those that have no value. */
export function headerLines(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => [name, inlineWord(value ?? '')])
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
