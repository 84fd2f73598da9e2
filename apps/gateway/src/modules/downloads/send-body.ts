import type { ServerResponse } from 'node:http'
import type { BlobReader } from '@filewright/blob-store'
import { AppError } from '@filewright/runtime'
import type { ByteCheck } from './byte-check.js'

/**
 * Piece after piece, each when the one before has left for the network; streams would cost several times as much as the copying. Rejects when the
 * bytes are not right or the client has left; the connection is gone then. The reader is closed in every case.
 */
export async function sendBody (response: ServerResponse, reader: BlobReader, check: ByteCheck): Promise<void> {
  let fail: ((error: Error) => void) | undefined
  const onClose = (): void => { fail?.(new AppError('CANCELLED', 'the client closed the connection')) }
  response.on('close', onClose)
  const write = async (piece: Uint8Array): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      fail = reject
      if (response.destroyed) onClose()
      else response.write(piece, (error) => { if (error == null) resolve(); else reject(error) })
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
    response.off('close', onClose)
    await reader.close()
  }
}
