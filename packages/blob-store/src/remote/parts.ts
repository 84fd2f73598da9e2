export interface Part {
  bytes: Uint8Array
  /** Offset of its first byte in the whole. */
  offset: number
  last: boolean
}

/**
 * Splits a stream into parts of one size. A part is returned only when more bytes follow or the source has
 * ended, so the last one is marked and is empty only if the whole is. One buffer serves all parts: a part is
 * valid until the next one is requested.
 */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partSizeBytes: number
): AsyncGenerator<Part> {
  let buffer = Buffer.alloc(0)
  let filled = 0
  let offset = 0
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length; ) {
      if (filled === partSizeBytes) {
        yield { bytes: buffer.subarray(0, filled), offset, last: false }
        offset += filled
        filled = 0
      }
      const step = Math.min(chunk.length - taken, partSizeBytes - filled)
      buffer = growBuffer(buffer, filled, step, partSizeBytes)
      buffer.set(chunk.subarray(taken, taken + step), filled)
      filled += step
      taken += step
    }
  }
  yield { bytes: buffer.subarray(0, filled), offset, last: true }
}

/** Grows by doubling, so that a small blob does not use a whole part's memory. */
function growBuffer(
  buffer: Buffer<ArrayBuffer>,
  filled: number,
  step: number,
  limit: number
): Buffer<ArrayBuffer> {
  if (filled + step <= buffer.length) return buffer
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(filled + step, buffer.length * 2)))
  larger.set(buffer.subarray(0, filled))
  return larger
}
