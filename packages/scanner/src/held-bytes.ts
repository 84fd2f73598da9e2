import type { Readable } from 'node:stream'
import { onAbort } from '@filewright/runtime'
import { cancelled } from './cancelled.js'
import { openAbortable } from './open-abortable.js'
import type { ScanSource } from './scanner.js'

/** What one scan may hold in memory. Nearly all files are smaller, and a scan looks at each several times. */
export const HELD_BYTES = 1024 * 1024

/**
 * The whole of a small file. One byte more than announced is asked for, so that a file that has grown shows.
 */
export async function readHeld(
  { sizeBytes, open }: Pick<ScanSource, 'sizeBytes' | 'open'>,
  signal: AbortSignal
): Promise<Buffer> {
  const stream = await openAbortable(async () => await open({ start: 0, end: sizeBytes }), signal)
  return await collect(stream, signal)
}

/** By events: an iterator over the stream costs more than all else that is done with a small file. */
async function collect(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = []
  const stopListening = onAbort(signal, (reason) => {
    stream.destroy(cancelled(reason))
  })
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      stream.on('data', (part: Buffer) => {
        parts.push(part)
      })
      stream.on('end', () => {
        resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts))
      })
      stream.on('error', reject)
      stream.on('close', () => {
        reject(new Error('the bytes to scan ended early'))
      })
    })
  } finally {
    stopListening()
  }
}
