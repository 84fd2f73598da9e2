import { createHash } from 'node:crypto'
import { AppError } from '@filewright/runtime'

export interface ByteCheck {
  /** Runs before each chunk is sent. Refuses the chunk that would complete corrupt content. */
  take: (piece: Uint8Array) => void
  /** Runs after the last chunk. */
  end: () => void
}

/**
 * Damaged content is never delivered completely. The sha256 of a whole file is checked before the last chunk
 * is sent. If it is wrong, the connection closes before Content-Length is reached, so the client notices. For
 * a part of a file, only the length is checked: a file that was truncated on disk breaks the connection
 * instead of stalling it.
 * @param sha256 set for a whole file
 */
export function createByteCheck(sizeBytes: number, sha256?: string): ByteCheck {
  const hash = sha256 === undefined ? undefined : createHash('sha256')
  let missing = sizeBytes

  function checkHash(): void {
    if (hash !== undefined && hash.digest('hex') !== sha256) {
      throw new AppError('BLOB_CORRUPT', `stored bytes do not have sha256 ${sha256 ?? ''}`)
    }
  }

  return {
    take: (piece) => {
      missing -= piece.length
      if (missing < 0) throw new AppError('BLOB_CORRUPT', `stored file has more than ${sizeBytes} bytes`)
      hash?.update(piece)
      if (missing === 0) checkHash()
    },
    end: () => {
      if (missing > 0) throw new AppError('BLOB_CORRUPT', `stored file ends ${missing} bytes early`)
      if (sizeBytes === 0) checkHash()
    }
  }
}
