import { abortable } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from './cancelled.js'
import type { ScanSource } from './scanner.js'

/** The memory for one file. Nearly all files are smaller, and a scan reads each several times. */
export const HELD_BYTES = 1024 * 1024

/** Below this size, reusing a buffer costs more than allocating one. */
const MIN_POOLED_BYTES = 64 * 1024
const MAX_POOLED_BUFFERS = 16

export interface HeldFile {
  bytes: Buffer
  /**
   * Returns the buffer to the pool. Call it only after clamd has replied to all bytes: otherwise another part
   * may still read the buffer, or the source may still write to it. The garbage collector frees a buffer that
   * is not released.
   */
  release: () => void
}

/** Reads small files into reused buffers: a new buffer per scan keeps the garbage collector busy. */
export interface HeldFiles {
  read: (source: Pick<ScanSource, 'sizeBytes' | 'read'>, signal: AbortSignal) => Promise<HeldFile>
}

export function createHeldFiles(): HeldFiles {
  const free: Buffer[] = []
  return {
    read: async ({ sizeBytes, read }, signal) => {
      throwIfCancelled(signal)
      const isPooled = sizeBytes >= MIN_POOLED_BYTES
      const buffer = isPooled
        ? (free.pop() ?? Buffer.allocUnsafeSlow(HELD_BYTES + 1))
        : Buffer.allocUnsafe(sizeBytes + 1)
      // Requests one byte more than announced, to detect a file that has grown.
      const reading = read(buffer, { start: 0, end: sizeBytes }, signal)
      const length = await abortable(reading, signal, cancelled)
      return {
        bytes: buffer.subarray(0, length),
        release: () => {
          if (isPooled && free.length < MAX_POOLED_BUFFERS) free.push(buffer)
        }
      }
    }
  }
}
