export interface Source {
  /** Safe for every parser: one code unit for each of the submitted code, so offsets agree. */
  readonly text: string
  readonly lines: readonly string[]
  lineAt (offset: number): number
}

/**
 * Line breaks mean the same to everybody afterwards: parsers disagree about lone CR, U+2028 and U+2029, and a line number
 * counted by one of them could lie outside the code as another counts it. NULs and lone surrogates make native parsers fail.
 */
export function prepareText (code: string): string {
  return code
    .replace(/^\uFEFF/, '')
    .replace(/\r(?!\n)/g, '\n')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u2028\u2029\u0000\v\f]/g, ' ')
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD')
}

export function createSource (code: string): Source {
  const text = prepareText(code)
  const lines = text.split(/\r?\n/)
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)

  function lineAt (offset: number): number {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  return { text, lines, lineAt }
}

/** Deepest nesting of brackets. Those in strings and comments count too, which only errs to the safe side. */
export function bracketDepth (text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 40 || code === 91 || code === 123) {
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === 41 || code === 93 || code === 125) {
      if (depth > 0) depth--
    }
  }
  return deepest
}

/** Nobody draws longer lines than this in comments. */
const maxRuler = 300

/**
 * The most operators in one expression, which nest as brackets do: every separator starts a new one, and so does a line end between two
 * words. A row of operators counts once, because rulers in comments are made of them, unless negations are in it, which nest each for itself.
 */
export function operatorDepth (text: string): number {
  let count = 0
  let deepest = 0
  for (const { 0: token, index } of text.matchAll(/[-+*/%&|<>^=!~?@.:]+|\b(?:not|and|or|if|else|lambda|await|new)\b|[\n,;(){}[\]]/g)) {
    if (token === '\n' ? !isOperator(text, index, -1) && !isOperator(text, index, 1) : /[,;(){}[\]]/.test(token)) count = 0
    else if (token !== '\n') count += /[!~]/.test(token) || token.length > maxRuler ? token.length : 1
    if (count > deepest) deepest = count
  }
  return deepest
}

/** Whether the nearest visible character before or after a line end is an operator. */
function isOperator (text: string, lineEnd: number, step: 1 | -1): boolean {
  let at = lineEnd + step
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += step
  return '+-*/%&|<>^=!~?.'.includes(text[at] ?? ';')
}
