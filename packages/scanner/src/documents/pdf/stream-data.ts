/** A dictionary longer than this does not describe a file. */
export const MAX_OBJECT_BYTES = 1024 * 1024

export interface Keyword {
  start: number
  end: number
  isStream: boolean
}

/**
 * `stream`, or a keyword that can only follow an object: `endstream`, `endobj`, or the header of the next
 * object.
 */
export function nextKeyword(pdf: Buffer, from: number): Keyword {
  const window = pdf.subarray(from, from + MAX_OBJECT_BYTES)
  const [object, stream] = [window.indexOf('obj'), window.indexOf('stream')]
  if (object === -1 && stream === -1) return { start: from + window.length, end: pdf.length, isStream: false }
  const isObject = stream === -1 || (object !== -1 && object < stream)
  const start = from + (isObject ? object : stream)
  const isEnd = pdf.toString('latin1', Math.max(from, start - 3), start) === 'end'
  return { start, end: start + (isObject ? 3 : 6), isStream: !isObject && !isEnd }
}

/**
 * The offset of a stream's data, given the end of its keyword. Readers also accept other characters that some
 * writers use instead of a line feed.
 */
export function dataStart(pdf: Buffer, keywordEnd: number): number {
  const behind = pdf.toString('latin1', keywordEnd, keywordEnd + 16)
  return keywordEnd + (/^[ \t]*(\r\n|\n|\r)/.exec(behind)?.[0].length ?? 0)
}

/**
 * The exclusive end of the data. Uses the first length that leads to `endstream`; without one, searches for
 * the keyword, as readers do.
 */
export function dataEnd(pdf: Buffer, start: number, lengths: number[]): number {
  const ends = lengths.map((length) => start + length).filter((end) => Number.isInteger(end) && end >= start)
  const byLength = ends.find((end) => /^\s*endstream/.test(pdf.toString('latin1', end, end + 16)))
  if (byLength !== undefined) return byLength
  const keyword = pdf.indexOf('endstream', start)
  if (keyword === -1) return pdf.length
  const tail = pdf.toString('latin1', Math.max(start, keyword - 2), keyword)
  return keyword - (/(\r\n|\n|\r)$/.exec(tail)?.[0].length ?? 0)
}
