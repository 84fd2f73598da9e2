import { createBlockedTexts, createTexts } from './texts.js'

const BOUNDARY = '----filewright-bench'
/** Above it a form is sent in blocks. */
const WHOLE_BYTES = 2 * 1024 * 1024

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export interface Form {
  body: Buffer | AsyncIterable<Buffer>
  length: number
}

/** Forms as an API client sends them, with a unique text file of the given size. */
export function createForms(sizeBytes: number): () => Form {
  const head = Buffer.from(
    [
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="project_id"',
      '',
      'bench',
      `--${BOUNDARY}`,
      'Content-Disposition: form-data; name="file"; filename="notes.txt"',
      'Content-Type: text/plain',
      '',
      ''
    ].join('\r\n')
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const length = head.length + sizeBytes + tail.length

  if (sizeBytes <= WHOLE_BYTES) {
    const text = createTexts(sizeBytes)
    return () => ({ body: Buffer.concat([head, text(), tail]), length })
  }
  const blocks = createBlockedTexts(sizeBytes)
  return () => ({
    length,
    body: (async function* () {
      yield head
      yield* blocks()
      yield tail
    })()
  })
}
