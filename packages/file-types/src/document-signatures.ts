import type { Sample } from './sample.js'

function hex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}

/** Documents of older or proprietary programs, by signatures long enough to be sufficient alone. */
const signatures: ReadonlyArray<readonly [hex: string, type: string]> = [
  ['e4525c7b8cd8a74daeb15378d02996d3', 'application/onenote'],
  ['a12fff43d9ef764c9ee210ea5722765f', 'application/onenote'],
  [hex('ITSF\x03\0\0\0'), 'application/vnd.ms-htmlhelp'],
  [hex('HWP Document File V'), 'application/x-hwp'],
  ['31be000000ab0000', 'application/x-mswrite'],
  ['32be000000ab0000', 'application/x-mswrite']
]

const WORDPERFECT = 0xff575043

/** The pointer to the text, the product (1) and the kind of file (10). */
function isWordPerfect(head: Buffer, size: number): boolean {
  return (
    head.length >= 16 &&
    head.readUInt32BE(0) === WORDPERFECT &&
    head.readUInt32LE(4) <= size &&
    head[8] === 1 &&
    head[9] === 10
  )
}

/** Excel 2 to 4, which used no container: a record with the version and the kind of sheet. */
function isOldExcel(head: Buffer): boolean {
  if (head.length < 16) return false
  const [record, length, kind] = [head.readUInt16LE(0), head.readUInt16LE(2), head.readUInt16LE(6)]
  const isBegin =
    (record === 0x0009 && length === 4) || ((record === 0x0209 || record === 0x0409) && length === 6)
  return isBegin && [0x0010, 0x0020, 0x0040, 0x0100].includes(kind)
}

/** A record with the version in two bytes: WKS, WK1 and Symphony, then WK3, WK4 and .123. */
const LOTUS = /^(?:000002000(?:404|604|606)|00001a000[0-5]100400)/

export function documentType({ head, size }: Sample): string | null {
  const start = head.toString('hex', 0, 24)
  const found = signatures.find(([signature]) => start.startsWith(signature))
  if (found !== undefined) return found[1]
  if (LOTUS.test(start)) return 'application/vnd.lotus-1-2-3'
  if (isWordPerfect(head, size)) return 'application/vnd.wordperfect'
  return isOldExcel(head) ? 'application/vnd.ms-excel' : null
}
