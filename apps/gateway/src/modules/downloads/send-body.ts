import type { ServerResponse } from 'node:http'
import type { BlobReader } from '@filewright/blob-store'
import { onAbort } from '@filewright/runtime'
import type { ByteCheck } from './byte-check.js'

/**
 * Piece after piece, each when the one before has left for the network; streams would cost several times as
 * much as the copying. Rejects when the bytes are not right or the client has left; the connection is gone
 * then. The reader is closed in every case.
 * @param signal aborts when the client has left
 */
export async function sendBody(
  response: ServerResponse,
  reader: BlobReader,
  check: ByteCheck,
  signal: AbortSignal
): Promise<void> {
  let fail: ((error: unknown) => void) | undefined
  const stopListening = onAbort(signal, (reason) => {
    fail?.(reason)
  })
  const write = async (piece: Uint8Array): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      fail = reject
      if (signal.aborted) reject(signal.reason)
      else {
        response.write(piece, (error) => {
          if (error == null) resolve()
          else reject(error)
        })
      }
    })
  }
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      check.take(piece)
      await write(piece)
    }
    check.end()
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    stopListening()
    await reader.close()
  }
}
