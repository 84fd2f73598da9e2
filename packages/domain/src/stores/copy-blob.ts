import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlobStore, Placement } from '@filewright/blob-store'
import { AppError, isAppError } from '@filewright/runtime'

export interface CopiedBlob {
  blobKey: string
  sha256: string
  placement?: Placement | undefined
}

export interface CopyOptions {
  /** Reads the copy back. Otherwise the store's own verification of uploads counts. */
  verify?: boolean
  signal?: AbortSignal | undefined
}

function corrupt(what: string, { blobKey, sha256 }: CopiedBlob, found: string): AppError {
  return new AppError(
    'BLOB_CORRUPT',
    `${what} has other bytes for ${blobKey}: sha256 ${found}, not ${sha256}`
  )
}

async function assertSame(
  store: Pick<BlobStore, 'open'>,
  blob: CopiedBlob,
  signal?: AbortSignal
): Promise<void> {
  const hash = createHash('sha256')
  const reader = await store.open(blob.blobKey, { signal })
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) hash.update(piece)
  } finally {
    await reader.close()
  }
  const found = hash.digest('hex')
  if (found !== blob.sha256) throw corrupt('the target', blob, found)
}

async function* hashed(source: Readable, blob: CopiedBlob): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of source as AsyncIterable<Uint8Array>) {
    hash.update(piece)
    yield piece
  }
  const found = hash.digest('hex')
  // Before the write ends, so that nothing is stored.
  if (found !== blob.sha256) throw corrupt('the source', blob, found)
}

/**
 * Copies one blob. Bytes that are not those of the record are never stored. A blob that is there already counts if
 * its bytes are the same; another one is left as it is, because only its row decides what may be removed.
 */
export async function copyBlob(
  from: Pick<BlobStore, 'read'>,
  to: Pick<BlobStore, 'write' | 'open'>,
  blob: CopiedBlob,
  { verify = false, signal }: CopyOptions = {}
): Promise<void> {
  const source = await from.read(blob.blobKey, { signal })
  try {
    await to.write(blob.blobKey, hashed(source, blob), { signal, placement: blob.placement })
  } catch (error) {
    if (!isAppError(error, 'BLOB_EXISTS')) throw error
    await assertSame(to, blob, signal)
    return
  } finally {
    source.destroy()
  }
  if (verify) await assertSame(to, blob, signal)
}
