import { Readable } from 'node:stream'
import { AppError } from '@filewright/runtime'
import { orAborted, throwIfAborted } from './abort.js'
import type { BlobSource, WriteOptions } from './blob-store.js'

type Chunks = AsyncIterable<Uint8Array>

/**
 * Passes the source's chunks to `use` and ends the source: any failure of `use` destroys the source, and an
 * abort works even while the source hangs.
 */
export async function withSource<T>(
  source: BlobSource,
  options: WriteOptions,
  use: (chunks: Chunks) => Promise<T>
): Promise<T> {
  // Before the first await: a stream that fails without a listener would crash the process.
  if (source instanceof Readable) source.on('error', () => {})
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<unknown>
  try {
    throwIfAborted(options.signal)
    return await use(chunksOf(iterator, options))
  } catch (error) {
    destroySource(source, iterator)
    throw error
  }
}

async function* chunksOf(
  iterator: AsyncIterator<unknown>,
  { signal, sizeBytes }: WriteOptions
): AsyncGenerator<Uint8Array> {
  let seenBytes = 0
  while (true) {
    const next = await orAborted(iterator.next(), signal)
    if (next.done === true) break
    if (!(next.value instanceof Uint8Array)) throw new TypeError('a blob source must give bytes')
    seenBytes += next.value.length
    // Not only at the end: an endless source must not fill the disk first.
    if (sizeBytes !== undefined && seenBytes > sizeBytes) break
    yield next.value
  }
  if (sizeBytes !== undefined && seenBytes !== sizeBytes) {
    throw new AppError(
      'INVALID_UPLOAD',
      `the source was to have ${sizeBytes} bytes and gave ${seenBytes > sizeBytes ? 'more' : seenBytes}`
    )
  }
}

function destroySource(source: BlobSource, iterator: AsyncIterator<unknown>): void {
  if (source instanceof Readable) {
    source.destroy()
    return
  }
  // Not awaited: a generator that hangs in its own await would block us too.
  void Promise.resolve()
    .then(() => iterator.return?.())
    .catch(() => {})
}
