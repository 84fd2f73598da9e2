import type { Readable } from 'node:stream'
import { abortable } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from './cancelled.js'

/** Opens a stream, and stops waiting on abort. A stream that opens later is destroyed. */
export async function openAbortable(
  open: () => Promise<Readable>,
  signal: AbortSignal | undefined
): Promise<Readable> {
  throwIfCancelled(signal)
  const opening = open()
  try {
    return await abortable(opening, signal, cancelled)
  } catch (error) {
    opening.then(
      (late) => {
        late.on('error', () => {}).destroy()
      },
      () => {}
    )
    throw error
  }
}
