import { once } from 'node:events'
import { open, readAnswers } from './raw.js'
import { uploadRequest, type UploadRequestOptions } from './upload-request.js'

export interface PausedUpload {
  /** Sends the rest and resolves with the status of the response; 0 without one. */
  finish: () => Promise<number>
}

/** An upload whose last byte is held back: its file already has an id, and its scan is not requested yet. */
export async function startPausedUpload({
  baseUrl,
  token,
  project,
  name,
  content
}: UploadRequestOptions & { baseUrl: string }): Promise<PausedUpload> {
  const request = uploadRequest({ token, project, name, content })
  const socket = await open(baseUrl)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(request.subarray(0, -1))
  return {
    finish: async () => {
      // No `end`: the service would see a client that disconnected.
      socket.write(request.subarray(-1))
      if (!socket.closed) await once(socket, 'close')
      return readAnswers(Buffer.concat(chunks)).answers[0]?.status ?? 0
    }
  }
}
