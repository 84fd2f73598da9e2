import { nestingOf, type Nesting } from './nesting.js'

export interface Source {
  /** Safe for every parser: one code unit for each of the submitted code, so offsets agree. */
  readonly text: string
  readonly lines: readonly string[]
  /** As people count them: what follows the last line break is no line when it is empty. */
  readonly lineCount: number
  lineAt(offset: number): number
  /** How deep the code nests; counted once, because most engines ask. */
  nesting(): Nesting
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

  let known: Nesting | null = null
  function nesting(): Nesting {
    known ??= nestingOf(text)
    return known
  }

  return { text, lines, lineCount, lineAt, nesting }
}
