export interface ConcurrencyLimit {
  /** Runs the task when fewer than the limit are running; first come, first served. */
  run: <T>(task: () => Promise<T>) => Promise<T>
  /** Rejects every task that has not started. */
  failWaiting: (error: Error) => void
}

export function createConcurrencyLimit(limit: number): ConcurrencyLimit {
  const waiting: Array<{ start: () => void; fail: (error: Error) => void }> = []
  let running = 0

  return {
    run: async (task) => {
      if (running < limit) running++
      // The slot is handed over, so `running` does not change.
      else {
        await new Promise<void>((resolve, reject) => {
          waiting.push({ start: resolve, fail: reject })
        })
      }
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running--
        else next.start()
      }
    },
    failWaiting: (error) => {
      for (const { fail } of waiting.splice(0)) fail(error)
    }
  }
}
