export interface Stopwatch {
  start: () => void
  stop: () => void
  /** While it ran, all times together. */
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
