import { abortable } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from './cancelled.js'
import type { ScanSource } from './scanner.js'

/** What one scan may hold in memory. Nearly all files are smaller, and a scan reads each several times. */
export const HELD_BYTES = 1024 * 1024

/**
 * The whole of a small file. Requests one byte more than announced, so that a file that has grown is noticed.
 */
export async function readHeld(
  { sizeBytes, read }: Pick<ScanSource, 'sizeBytes' | 'read'>,
  signal: AbortSignal
): Promise<Buffer> {
  throwIfCancelled(signal)
  return await abortable(read({ start: 0, end: sizeBytes }, signal), signal, cancelled)
}
