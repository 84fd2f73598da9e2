import { boundaryLine } from '../prompts/boundary.js'
import { withoutThinking } from './clean-text.js'
import { isBeside, sameLanguage } from './fence-languages.js'
import { fencesIn, type Fence } from './fences.js'
import { withoutProse } from './prose.js'

const ONE_LINE_FENCE = /^`{3,20}(?:([A-Za-z0-9_+#-]+)[ \t]+)?([^`\n]*)`{3,20}$/
const INLINE_CODE = /^`([^`\n]+)`$/
const PROSE_LANGUAGES = new Set(['markdown', 'md', 'mdx', 'text', 'txt', 'plaintext'])

function longest(fences: readonly Fence[]): Fence | undefined {
  return fences.reduce<Fence | undefined>(
    (best, fence) => (best === undefined || fence.code.length > best.code.length ? fence : best),
    undefined
  )
}

/**
 * The fence that was asked for: in the language, else not a command or its output, else any. The longest of
 * those: usage examples are short.
 */
function choose(fences: readonly Fence[], language: string | undefined): Fence | undefined {
  const filled = fences.filter(({ code }) => code.trim() !== '')
  const inLanguage =
    language === undefined ? [] : filled.filter((fence) => sameLanguage(fence.language, language))
  return (
    longest(inLanguage) ?? longest(filled.filter((fence) => !isBeside(fence.language))) ?? longest(filled)
  )
}

/** Blank lines and copied boundaries at both ends, but no indentation of the first line. */
function trimmed(code: string): string {
  const lines = code.split('\n')
  const isEdge = (line: string | undefined): boolean =>
    line !== undefined && (line.trim() === '' || boundaryLine.test(line))
  while (isEdge(lines.at(-1))) lines.pop()
  let start = 0
  while (isEdge(lines[start])) start++
  return lines.slice(start).join('\n').trimEnd()
}

export interface CodeBlock {
  /** Plain: no fences, no prose around it. Empty if the answer holds none. */
  code: string
  /** What the fence says the code is, in small letters; empty without a fence or a word on it. */
  fence: string
}

/**
 * The code in a model's answer, and what the model calls it: a Vue component may well come when JavaScript
 * was named.
 */
export function extractCodeBlock(text: string, language?: string): CodeBlock {
  const answer = trimmed(withoutThinking(text))
  const [oneLine, info = '', line = ''] = ONE_LINE_FENCE.exec(answer.trim()) ?? []
  if (oneLine !== undefined) return { code: line.trim(), fence: info.toLowerCase() }

  const fences = fencesIn(answer)
  if (fences.length > 0) {
    const chosen = choose(fences, language)
    return { code: trimmed(chosen?.code ?? ''), fence: chosen?.language ?? '' }
  }

  const inline = INLINE_CODE.exec(answer.trim())?.[1]
  if (inline !== undefined) return { code: inline, fence: '' }
  const isText = language !== undefined && PROSE_LANGUAGES.has(language.trim().toLowerCase())
  return { code: isText ? answer : trimmed(withoutProse(answer)), fence: '' }
}

export function extractCode(text: string, language?: string): string {
  return extractCodeBlock(text, language).code
}

/** Text as it is, but for a fence around the whole of it. */
export function extractContent(text: string): string {
  const answer = trimmed(withoutThinking(text)).trim()
  const [whole, ...others] = fencesIn(answer)
  const wraps =
    whole !== undefined &&
    others.length === 0 &&
    /^(?:`{3,}|~{3,})(?:markdown|md|text|txt)?\n/i.test(answer) &&
    (!whole.closed || /(?:`{3,}|~{3,})$/.test(answer))
  return wraps ? trimmed(whole.code) : answer
}
