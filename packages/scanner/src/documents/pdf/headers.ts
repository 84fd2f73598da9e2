/** `5 0 obj`, which begins an object. */
export interface Header {
  number: number
  generation: number
  /** The offset behind its keyword. */
  end: number
}

const NUMBERS = /(\d{1,10})[\s\0]+(\d{1,5})[\s\0]*$/
/** Enough for two numbers and white space. */
const NEAR_BYTES = 24
const NEAR_BYTES_WITH_COMMENTS = 512
/** The last letter of `endobj`, which also contains `obj`. */
const LETTER_D = 0x64

/**
 * Finds the headers of all objects, also inside the data of other objects: a cross-reference table may point
 * there.
 */
export function findHeaders(pdf: Buffer): Header[] {
  const headers: Header[] = []
  for (let at = pdf.indexOf('obj'); at !== -1; at = pdf.indexOf('obj', at + 3)) {
    if (pdf[at - 1] === LETTER_D) continue
    const match =
      NUMBERS.exec(pdf.toString('latin1', Math.max(0, at - NEAR_BYTES), at)) ??
      NUMBERS.exec(withoutComments(pdf.toString('latin1', Math.max(0, at - NEAR_BYTES_WITH_COMMENTS), at)))
    if (match !== null) headers.push({ number: Number(match[1]), generation: Number(match[2]), end: at + 3 })
  }
  return headers
}

/** Comments are allowed wherever white space is. */
function withoutComments(text: string): string {
  return text.replace(/%[^\r\n]*/g, ' ')
}

export function headersByNumber(headers: Header[]): Map<number, Header[]> {
  const byNumber = new Map<number, Header[]>()
  for (const header of headers) {
    const others = byNumber.get(header.number)
    if (others === undefined) byNumber.set(header.number, [header])
    else others.push(header)
  }
  return byNumber
}

/** Returns the index, or -1 if there is none. The headers are in file order. */
export function lastHeaderBefore(headers: Header[], place: number): number {
  let [low, high] = [0, headers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((headers[middle]?.end ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}
