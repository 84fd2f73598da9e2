import type { Readable } from 'node:stream'
import { AppError } from '@filewright/runtime'

/** Opens a stream, but does not wait for it past an abort; one that still opens afterwards is destroyed. */
export async function openAbortable (open: () => Promise<Readable>, signal: AbortSignal | undefined): Promise<Readable> {
  const cancelled = (): AppError => new AppError('CANCELLED', 'the scan was cancelled')
  if (signal?.aborted === true) throw cancelled()
  const opening = open()
  if (signal === undefined) return await opening
  let onAbort = (): void => {}
  const aborted = new Promise<never>((resolve, reject) => {
    onAbort = () => {
      reject(cancelled())
      opening.then((late) => { late.on('error', () => {}).destroy() }, () => {})
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([opening, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
