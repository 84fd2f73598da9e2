import type { ServerResponse } from 'node:http'
import type { BlobReader } from '@filewright/blob-store'
import { onAbort } from '@filewright/runtime'
import type { ByteCheck } from './byte-check.js'

/**
 * Sends chunk by chunk, each after the previous one has been written to the network. Streams would cost
 * several times as much as the copying. If the bytes are wrong or the client disconnected, it rejects after
 * the connection is closed. The reader is always closed.
 * @param signal aborts when the client disconnects
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
