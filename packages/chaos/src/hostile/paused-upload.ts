import { once } from 'node:events'
import { multipartBody } from '@filewright/testing'
import { open, readAnswers } from './raw.js'

export interface PausedUpload {
  /** Sends what is left and resolves with the status of the answer; 0 if none came. */
  finish: () => Promise<number>
}

/** An upload whose last byte is held back: its file has an id already, and its scan is not asked for yet. */
export async function startPausedUpload ({
  baseUrl,
  token,
  project,
  name,
  content
}: {
  baseUrl: string
  token: string
  project: string
  name: string
  content: Buffer
}): Promise<PausedUpload> {
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
  const socket = await open(baseUrl)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
  })
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body.subarray(0, -1)]))
  return {
    finish: async () => {
      // No `end`: to the service that is a client who has left.
      socket.write(body.subarray(-1))
      if (!socket.closed) await once(socket, 'close')
      return readAnswers(Buffer.concat(chunks)).answers[0]?.status ?? 0
    }
  }
}
