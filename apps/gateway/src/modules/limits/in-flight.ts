export interface InFlight {
  /**
   * Null when the caller has reached its limit. Otherwise a function that ends the request; it may be called
   * more than once.
   */
  enter: (name: string) => (() => void) | null
}

/** At most `max` concurrent requests per key; 0 means no limit. */
export function createInFlight(max: number): InFlight {
  const running = new Map<string, number>()
  return {
    enter: (name) => {
      const count = running.get(name) ?? 0
      if (max > 0 && count >= max) return null
      running.set(name, count + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        const rest = (running.get(name) ?? 1) - 1
        if (rest === 0) running.delete(name)
        else running.set(name, rest)
      }
    }
  }
}
