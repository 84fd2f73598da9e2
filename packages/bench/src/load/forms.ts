import { randomBytes } from 'node:crypto'

const BOUNDARY = '----filewright-bench'
const BLOCK_BYTES = 64 * 1024
/** Above it a form is sent in blocks, which all forms share. */
const WHOLE_BYTES = 2 * 1024 * 1024
/** Makes every file another: clamd may remember the hashes of clean ones. */
const STAMP_BYTES = 32

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export interface Form {
  body: Buffer | AsyncIterable<Buffer>
  length: number
}

/** Forms as a client of the API sends them, with a text file of the given size that nobody has seen before. */
export function createForms (sizeBytes: number): () => Form {
  const head = Buffer.from([
    `--${BOUNDARY}`, 'Content-Disposition: form-data; name="project_id"', '', 'bench',
    `--${BOUNDARY}`, 'Content-Disposition: form-data; name="file"; filename="notes.txt"', 'Content-Type: text/plain', '', ''
  ].join('\r\n'))
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const length = head.length + sizeBytes + tail.length
  const stamp = (): Buffer => Buffer.from(randomBytes(STAMP_BYTES / 2).toString('hex'))

  if (sizeBytes <= WHOLE_BYTES) {
    const rest = textOf(sizeBytes - STAMP_BYTES)
    return () => ({ body: Buffer.concat([head, stamp(), rest, tail]), length })
  }
  const block = textOf(BLOCK_BYTES)
  return () => ({
    length,
    body: (async function * () {
      yield Buffer.concat([head, stamp()])
      for (let left = sizeBytes - STAMP_BYTES; left > 0; left -= BLOCK_BYTES) yield left >= BLOCK_BYTES ? block : block.subarray(0, left)
      yield tail
    })()
  })
}

/** Lines of hexadecimal digits. */
function textOf (sizeBytes: number): Buffer {
  return Buffer.from(randomBytes(Math.ceil(sizeBytes / 2)).toString('hex').replace(/(.{79})./g, '$1\n').slice(0, sizeBytes))
}
