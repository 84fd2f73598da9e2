import { abortable } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from './cancelled.js'
import type { ScanSource } from './scanner.js'

/** What one scan may hold in memory. Nearly all files are smaller, and a scan reads each several times. */
export const HELD_BYTES = 1024 * 1024

/** Below this size a new buffer costs less than it saves. */
const MIN_POOLED_BYTES = 64 * 1024
const MAX_POOLED_BUFFERS = 16

export interface HeldFile {
  bytes: Buffer
  /**
   * Lets the next scan use the memory. Only for a scan that has ended with clamd's reply to all of the bytes: after
   * any other end somebody may still read them, or the source may still write them. Such a buffer is left to the
   * garbage collector.
   */
  release: () => void
}

/** Small files in buffers that are used again: new ones for every scan keep the garbage collector busy. */
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
      // One byte more than announced is asked for, so that a file that has grown shows.
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
