import type { Language } from '@filewright/contracts'
import { nestingOf, type Nesting } from './nesting.js'

export interface Source {
  /** Safe for every parser: one code unit for each of the submitted code, so offsets agree. */
  readonly text: string
  readonly lines: readonly string[]
  /** As people count them: what follows the last line break is no line when it is empty. */
  readonly lineCount: number
  lineAt(offset: number): number
  /** How deep the code nests, read as this language; counted once, because most engines ask. */
  nesting(language: Language): Nesting
}

/**
 * Line breaks mean the same to everybody afterwards: parsers disagree about lone CR, U+2028 and U+2029, and a
 * line number counted by one of them could lie outside the code as another counts it. NULs and lone
 * surrogates make native parsers fail.
 */
export function prepareText(code: string): string {
  return (
    code
      .replace(/^\uFEFF/, '')
      .replace(/\r(?!\n)/g, '\n')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u2028\u2029\u0000\v\f]/g, ' ')
      .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
  )
}

/**
 * JavaScript also ends a line at U+2028 and U+2029, and with it a comment: what follows runs, though most
 * editors show it as part of the comment. In a text they are characters like others.
 */
export function breakLinesAsScript(code: string): string {
  const separator = /[\u2028\u2029]/
  return code.replace(/[^\r\n]+/g, (line) => (separator.test(line) ? breakLine(line) : line))
}

/** From a line of the source to the one of the submitted code, where a line separator ends none. */
export function submittedLines(code: string, { lines }: Pick<Source, 'lines'>): (line: number) => number {
  if (!/[\u2028\u2029]/.test(code)) return (line) => line
  const numbers = [0]
  let at = code.startsWith('\uFEFF') ? 1 : 0
  let number = 1
  for (const line of lines) {
    numbers.push(number)
    at += line.length
    if (/[\u2028\u2029]/.test(code.charAt(at))) at++
    else {
      at += code.startsWith('\r\n', at) ? 2 : 1
      number++
    }
  }
  return (line) => numbers[line] ?? line
}

function breakLine(line: string): string {
  let quote: string | null = null
  let isComment = false
  let broken = ''
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '\u2028' || char === '\u2029') {
      broken += quote === null ? '\n' : char
      isComment = false
      continue
    }
    broken += char
    if (isComment) continue
    if (quote !== null) {
      if (char === '\\') broken += line.charAt(++at)
      else if (char === quote) quote = null
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '/' && line.charAt(at + 1) === '/') isComment = true
  }
  return broken
}

export function createSource(code: string): Source {
  const text = prepareText(code)
  const lines = text.split(/\r?\n/)
  const lineCount = lines.length > 1 && lines.at(-1) === '' ? lines.length - 1 : lines.length
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)

  function lineAt(offset: number): number {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  const nestings = new Map<Language, Nesting>()
  function nesting(language: Language): Nesting {
    const known = nestings.get(language) ?? nestingOf(text, language)
    nestings.set(language, known)
    return known
  }

  return { text, lines, lineCount, lineAt, nesting }
}
