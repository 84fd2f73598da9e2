import { boundaryLine } from '../prompts/boundary.js'
import { chooseCode, type CodeWish } from './choose-code.js'
import { plainAnswer } from './clean-text.js'
import type { CodeBlock } from './code-block.js'
import { fencesIn, longerReadings } from './fences.js'
import { withoutProse } from './prose.js'
import { unwrappedJson } from './unwrap-json.js'

const ONE_LINE_FENCE = /^`{3,20}(?:([A-Za-z0-9_+#-]+)[ \t]+)?([^`\n]*)`{3,20}$/
const INLINE_CODE = /^`([^`\n]+)`$/
const PROSE_LANGUAGES = new Set(['markdown', 'md', 'mdx', 'text', 'txt', 'plaintext'])
const DATA_LANGUAGES = new Set(['json', 'jsonc', 'json5', 'yaml', 'yml'])

/** Removes blank lines and copied boundaries at both ends, but not the first line's indentation. */
export function trimmed(code: string): string {
  const lines = code.split('\n')
  const isEdge = (line: string | undefined): boolean =>
    line !== undefined && (line.trim() === '' || boundaryLine.test(line))
  while (isEdge(lines.at(-1))) lines.pop()
  let start = 0
  while (isEdge(lines[start])) start++
  return lines.slice(start).join('\n').trimEnd()
}

/**
 * Candidates for the requested code in a model's response, most likely first and never empty. Only a parser
 * can tell whether a mark inside a string ends a fence: a caller that has one takes the first candidate that
 * parses.
 */
export function codeCandidates(text: string, wish: CodeWish = {}): CodeBlock[] {
  const answer = trimmed(plainAnswer(text))
  const language = wish.language?.trim().toLowerCase()
  const [oneLine, info = '', line = ''] = ONE_LINE_FENCE.exec(answer.trim()) ?? []
  if (oneLine !== undefined) return [{ code: line.trim(), fence: info.toLowerCase() }]

  const fences = fencesIn(answer)
  const [onlyFence] = fences
  const wrapped =
    language !== undefined && DATA_LANGUAGES.has(language)
      ? undefined
      : unwrappedJson(fences.length === 1 && onlyFence?.language === 'json' ? onlyFence.code : answer)
  if (wrapped !== undefined) return codeCandidates(wrapped, wish)
  if (fences.length > 0) {
    const [first, ...others] = chooseCode(fences, wish)
    if (first === undefined) return [{ code: '', fence: '' }]
    const longer = [first, ...others].flatMap(({ fence, from }) =>
      from === undefined ? [] : longerReadings(answer, from).map((code) => ({ code, fence }))
    )
    return [first, ...longer, ...others].map(({ code, fence }) => ({ code: trimmed(code), fence }))
  }

  const inline = INLINE_CODE.exec(answer.trim())?.[1]
  if (inline !== undefined) return [{ code: inline, fence: '' }]
  if (language !== undefined && PROSE_LANGUAGES.has(language)) return [{ code: answer, fence: '' }]
  return [{ code: trimmed(withoutProse(answer)), fence: '' }]
}

/**
 * The code in a model's response, and its language according to the model: a Vue component may be returned
 * for JavaScript.
 */
export function extractCodeBlock(text: string, language?: string): CodeBlock {
  return codeCandidates(text, { language })[0] ?? { code: '', fence: '' }
}

export function extractCode(text: string, language?: string): string {
  return extractCodeBlock(text, language).code
}
