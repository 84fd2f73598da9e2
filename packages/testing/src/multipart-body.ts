export type MultipartPart =
  | { name: string; value: string | Buffer; contentType?: string }
  | { name: string; filename: string; content: string | Buffer; contentType?: string }

const BOUNDARY = '----filewright-test-boundary'

/** A form as clients send it; names are sent unchanged, so that hostile ones are possible. */
export function multipartBody(
  parts: MultipartPart[],
  boundary = BOUNDARY
): { body: Buffer; contentType: string } {
  const pieces: Buffer[] = []
  for (const part of parts) {
    const file = 'filename' in part
    const disposition = `form-data; name="${part.name}"${file ? `; filename="${part.filename}"` : ''}`
    const type = part.contentType ?? (file ? 'application/octet-stream' : undefined)
    pieces.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`
      ),
      Buffer.from(file ? part.content : part.value),
      Buffer.from('\r\n')
    )
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` }
}
