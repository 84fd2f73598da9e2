import { AppError, createId } from '@filewright/runtime'
import { blobKeyOf } from './blob-key.js'
import type { BlobStore } from './blob-store.js'
import type { Placement } from './placement.js'

const PROBE_TEXT = Buffer.from('probe')

/**
 * A bucket or disk that can be listed but not written is useless: only doing what uploads and downloads do
 * proves that it works.
 */
export async function probeStore(
  store: Pick<BlobStore, 'write' | 'read' | 'remove'>,
  signal: AbortSignal | undefined,
  placement?: Placement
): Promise<void> {
  const key = blobKeyOf(createId())
  await store.write(key, asSource(PROBE_TEXT), { signal, placement })
  try {
    const parts: Buffer[] = []
    for await (const part of await store.read(key, { signal })) parts.push(part as Buffer)
    if (!Buffer.concat(parts).equals(PROBE_TEXT)) {
      throw new AppError('BLOB_CORRUPT', 'the probe read something else than it wrote')
    }
  } finally {
    await store.remove(key)
  }
}

async function* asSource(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
