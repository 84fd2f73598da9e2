export interface Stopwatch {
  start: () => void
  stop: () => void
  /** The total of all intervals in which it ran. */
  elapsedMs: () => number
}

export function createStopwatch(): Stopwatch {
  let since: number | null = null
  let stoppedMs = 0
  const elapsedMs = (): number => stoppedMs + (since === null ? 0 : performance.now() - since)
  return {
    elapsedMs,
    start: () => {
      since ??= performance.now()
    },
    stop: () => {
      stoppedMs = elapsedMs()
      since = null
    }
  }
}
