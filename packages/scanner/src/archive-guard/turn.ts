import { AppError } from '@filewright/runtime'

export interface Turn {
  /** Resolves when everyone who asked before has finished, with how to finish oneself. @throws AppError CANCELLED on abort. */
  take: (signal?: AbortSignal) => Promise<() => void>
}

/** One at a time, in the order they asked. */
export function createTurn (): Turn {
  let last: Promise<void> = Promise.resolve()
  return {
    take: async (signal) => {
      const before = last
      let finish = (): void => {}
      last = new Promise((resolve) => { finish = resolve })
      try {
        await untilAborted(before, signal)
      } catch (error) {
        // Whoever comes next still waits for those before.
        void before.then(finish)
        throw error
      }
      return finish
    }
  }
}

async function untilAborted (work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await work
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => { reject(new AppError('CANCELLED', 'the scan was cancelled')) }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
  await Promise.race([work, aborted]).finally(() => { signal.removeEventListener('abort', onAbort) })
}
