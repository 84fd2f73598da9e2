import { multipartBody } from '@filewright/testing'

export interface UploadRequestOptions {
  token: string
  project: string
  name: string
  content: Buffer
}

/** The bytes of an upload request, for sending over a raw socket. */
export function uploadRequest({ token, project, name, content }: UploadRequestOptions): Buffer {
  const { body, contentType } = multipartBody([
    { name: 'project_id', value: project },
    { name: 'file', filename: name, content }
  ])
  const head = [
    'POST /api/files/upload HTTP/1.1',
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}
