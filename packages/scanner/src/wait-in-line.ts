import { onAbort, type FairLine } from '@filewright/runtime'
import { cancelled } from './cancelled.js'

/** Resolves when this entry is taken from the queue and called. @throws AppError CANCELLED on abort. */
export async function waitInLine(
  line: FairLine<() => void>,
  lane: string,
  signal: AbortSignal | undefined
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onTurn = (): void => {
      stop()
      resolve()
    }
    line.push(lane, onTurn)
    const stop = onAbort(signal, (reason) => {
      line.remove(lane, onTurn)
      reject(cancelled(reason))
    })
  })
}
