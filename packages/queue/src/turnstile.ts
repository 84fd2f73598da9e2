export interface Turnstile {
  /** Runs the task when fewer than the limit are running; first come, first served. */
  pass: <T>(task: () => Promise<T>) => Promise<T>
  /** Fails everyone who is still outside. */
  turnAway: (error: Error) => void
}

export function createTurnstile (limit: number): Turnstile {
  const outside: Array<{ enter: () => void, leave: (error: Error) => void }> = []
  let inside = 0

  return {
    pass: async (task) => {
      if (inside < limit) inside++
      // The place is handed over, so `inside` does not change.
      else await new Promise<void>((resolve, reject) => { outside.push({ enter: resolve, leave: reject }) })
      try {
        return await task()
      } finally {
        const next = outside.shift()
        if (next === undefined) inside--
        else next.enter()
      }
    },
    turnAway: (error) => {
      for (const { leave } of outside.splice(0)) leave(error)
    }
  }
}
