import type { Language } from '@filewright/contracts'

const filled = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== '')

/** Removes consecutive line numbers from code; undefined if it has none. */
function withoutNumbers(code: string): string | undefined {
  const lines = code.split('\n')
  const numbered = lines.map((line) =>
    /^[ \t]*(\d{1,5})(?:[ \t]?[|:│]|\.|\)|(?=[ \t]{2}|\t)|$)(.*)$/.exec(line)
  )
  let expected: number | undefined
  for (const [index, match] of numbered.entries()) {
    if (match === null || match === undefined) {
      if (lines[index]?.trim() === '') continue
      return undefined
    }
    if (expected !== undefined && Number(match[1]) !== expected) return undefined
    expected = Number(match[1]) + 1
  }
  const texts = numbered.map((match) => match?.[2] ?? '')
  if (filled(texts).length < 2) return undefined
  // The spaces after the numbers belong to them, as many as every line has.
  const cut = filled(texts).reduce(
    (least, text) => Math.min(least, text.length - text.trimStart().length),
    Number.POSITIVE_INFINITY
  )
  return texts.map((text) => text.slice(cut).trimEnd()).join('\n')
}

const DIFF_HEAD = /^(?:diff --git |index [0-9a-f]+\.\.|new file mode |--- |\+\+\+ |@@ )/
export const looksLikeDiff = (code: string): boolean => /^(?:diff --git |--- \S|\+\+\+ \S|@@ -\d)/m.test(code)

/** The file created by a diff that only adds lines; undefined for any other code. */
function addedByDiff(code: string): string | undefined {
  const lines = code.split('\n').filter((line) => !/^\\ No newline/.test(line))
  const body = lines.filter((line) => !DIFF_HEAD.test(line))
  if (!filled(body).every((line) => line.startsWith('+')) || filled(body).length === 0) return undefined
  if (body.length === lines.length && filled(body).length < 2) return undefined
  const hunks = lines.filter((line) => line.startsWith('@@'))
  // Additions to an existing file are only part of it.
  if (hunks.length > 1 || hunks.some((hunk) => !/^@@ -0,0 /.test(hunk))) return undefined
  return dedented(body.map((line) => line.slice(1)).join('\n'))
}

/** Code without the indentation that all of its lines share. */
export function dedented(code: string): string {
  const lines = code.split('\n')
  const indents = filled(lines).map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  const [first = ''] = indents
  if (first === '' || !indents.every((indent) => indent.startsWith(first))) return code
  return lines
    .map((line) => (line.startsWith(first) ? line.slice(first.length) : line.trimStart()))
    .join('\n')
}

const ENTITY = /&(?:lt|gt|amp|quot|#0?39|#x27|apos);/g
const signs: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#039;': "'",
  '&#x27;': "'"
}
export const unescaped = (code: string): string => code.replace(ENTITY, (entity) => signs[entity] ?? entity)

/** Whether all of the code is HTML-escaped. */
function isEscaped(code: string): boolean {
  return /&(?:lt|gt|amp|quot);/.test(code) && !/[<>]/.test(code) && !/&(?!\w+;|#)/.test(code)
}

/** Console input without its prompts; undefined where output is in between. */
function withoutPrompts(code: string, language: Language | null): string | undefined {
  const lines = filled(code.split('\n'))
  if (language === 'shell' && lines.every((line) => /^\$ /.test(line))) return code.replace(/^\$ /gm, '')
  if (language === 'python' && lines.every((line) => /^(?:>>>|\.\.\.)(?: |$)/.test(line))) {
    return code.replace(/^(?:>>>|\.\.\.) ?/gm, '')
  }
  return undefined
}

/** Whether code contains console prompts, and perhaps output. */
export const hasPrompts = (code: string, language: Language | null): boolean =>
  (language === 'shell' && /^\$ \S/m.test(code)) || (language === 'python' && /^>>> \S/m.test(code))

/** Removes the wrapping of the code's lines where it is certain. */
export function tidied(code: string, language: Language | null): string {
  let text = code.replace(/[\u200B\uFEFF]/g, '')
  text = withoutNumbers(text) ?? text
  if (language !== 'diff') text = addedByDiff(text) ?? text
  if (isEscaped(text)) text = unescaped(text)
  return withoutPrompts(text, language) ?? text
}
