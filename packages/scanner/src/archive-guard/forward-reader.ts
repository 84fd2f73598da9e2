import type { Readable } from 'node:stream'
import { onAbort } from '@filewright/runtime'
import { throwIfCancelled } from '../cancelled.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { openAbortable } from '../open-abortable.js'
import type { ByteRange } from '../scanner.js'

export interface ForwardReaderOptions {
  sizeBytes: number
  open: (range: ByteRange) => Promise<Readable>
  /** If the whole source is already in memory, it is not opened. */
  bytes?: Buffer | undefined
  signal?: AbortSignal | undefined
}

/** Reading and discarding this many bytes is cheaper than another request to a remote store. */
const SKIP_BYTES = 4 * 1024 * 1024

/**
 * Reads ranges of a source at ascending offsets over as few streams as possible. Memory holds only the range
 * and one chunk. A lower offset works too, but needs a new stream.
 */
export function createForwardReader({ sizeBytes, open, bytes, signal }: ForwardReaderOptions) {
  let chunks: AsyncIterator<Buffer> | undefined
  let stream: Readable | undefined
  let position = 0
  let pending: Buffer = Buffer.alloc(0)

  async function seek(offset: number): Promise<void> {
    if (chunks !== undefined && offset >= position && offset - position <= SKIP_BYTES) {
      return await skip(offset - position)
    }
    stream?.destroy()
    stream = await openAbortable(async () => await open({ start: offset, end: sizeBytes - 1 }), signal)
    // The iterator reports errors; an error after its end must not crash the process.
    stream.on('error', () => {})
    throwIfCancelled(signal)
    chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    pending = Buffer.alloc(0)
    position = offset
  }

  async function nextChunk(): Promise<boolean> {
    // Listens only while it waits: each nested archive has its own reader, and the listeners would be too
    // many.
    const stopListening = onAbort(signal, () => {
      stream?.destroy()
    })
    try {
      const next = await chunks?.next()
      if (next === undefined || next.done === true) return false
      pending = next.value
      return true
    } finally {
      stopListening()
      throwIfCancelled(signal)
    }
  }

  async function skip(length: number): Promise<void> {
    let left = length
    while (left > 0) {
      if (pending.length === 0 && !(await nextChunk())) return
      const taken = Math.min(left, pending.length)
      pending = pending.subarray(taken)
      position += taken
      left -= taken
    }
  }

  return {
    /** Returns fewer bytes than requested only at the end of the source. */
    async read(offset: number, length: number): Promise<Buffer> {
      const wanted = Math.min(length, sizeBytes - offset)
      if (wanted <= 0) return Buffer.alloc(0)
      throwIfCancelled(signal)
      if (bytes !== undefined) {
        await yieldToEventLoop()
        return bytes.subarray(offset, offset + wanted)
      }
      await seek(offset)
      const parts: Buffer[] = []
      let left = wanted
      while (left > 0) {
        if (pending.length === 0 && !(await nextChunk())) break
        const part = pending.subarray(0, left)
        pending = pending.subarray(part.length)
        position += part.length
        left -= part.length
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    close(): void {
      stream?.destroy()
    }
  }
}

export type ForwardReader = ReturnType<typeof createForwardReader>
