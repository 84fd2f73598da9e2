import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { createByteCheck } from '../downloads/byte-check.js'
import type { ZipEntry } from './zip-names.js'
import type { OpenedFile } from './zip.service.js'

/** The reader reuses the chunk's memory, but streams may keep chunks. */
async function* verified({ file, reader }: OpenedFile): AsyncGenerator<Buffer> {
  const check = createByteCheck(file.sizeBytes, file.sha256)
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      check.take(piece)
      yield Buffer.from(piece)
    }
    check.end()
  } finally {
    await reader.close()
  }
}

/**
 * Sends the files one after another, so only one is open at a time. If stored bytes are wrong or the client
 * disconnected, it rejects after the connection is closed. The archive then has no directory, so no program
 * mistakes it for a complete one.
 * @param open returns null for a file to omit
 * @param signal aborts when the client disconnects
 */
export async function sendZip(
  response: ServerResponse,
  entries: readonly ZipEntry[],
  open: (id: string) => Promise<OpenedFile | null>,
  signal: AbortSignal
): Promise<void> {
  const zip = new ZipFile()
  const broken = new AbortController()
  const anyEnd = AbortSignal.any([signal, broken.signal])
  const sent = pipeline(zip.outputStream, response, { signal: anyEnd })
  // Reported below, where it is awaited.
  sent.catch(() => {})
  zip.on('error', (error: Error) => broken.abort(error))
  try {
    for (const { id, name } of entries) {
      const opened = await open(id)
      if (opened === null) continue
      const { sizeBytes, createdAt } = opened.file
      const body = Readable.from(verified(opened), { objectMode: false })
      try {
        // Most stored files are compressed already, and compressing others costs more than sending them.
        zip.addReadStream(body, name, { size: sizeBytes, mtime: createdAt, mode: 0o100644, compress: false })
        await finished(body, { signal: anyEnd })
      } finally {
        body.destroy()
      }
    }
    zip.end()
    await sent
  } catch (error) {
    broken.abort(error)
    response.destroy()
    throw error
  }
}
