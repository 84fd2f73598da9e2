import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { AppError } from '@filewright/runtime'

/**
 * Passes a whole file through, holding its last piece back until the sha256 of all of it is right. Damaged bytes
 * therefore never arrive complete: the connection breaks before Content-Length is reached, and the client knows.
 */
export function createVerifiedStream (sha256: string): Transform {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  return new Transform({
    transform (chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      const previous = held
      held = chunk
      done(null, previous)
    },
    flush (done) {
      if (hash.digest('hex') === sha256) done(null, held)
      else done(new AppError('BLOB_CORRUPT', `stored bytes do not have sha256 ${sha256}`))
    }
  })
}

/** Passes a part of a file through and fails if it ends early, so that a file cut short on disk breaks the connection instead of stalling it. */
export function createSizedStream (sizeBytes: number): Transform {
  let missing = sizeBytes
  return new Transform({
    transform (chunk: Buffer, _encoding, done) {
      missing -= chunk.length
      done(null, chunk)
    },
    flush (done) {
      done(missing === 0 ? null : new AppError('BLOB_CORRUPT', `stored file ends ${missing} bytes early`))
    }
  })
}
