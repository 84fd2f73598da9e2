/**
 * A count this old still distinguishes a full queue from an empty one, and saves every request a round trip.
 */
const MAX_AGE_MS = 250

/** The number of waiting jobs at the last check; a call refreshes it in the background if it is old. */
export function createDepthGauge(read: () => Promise<number>): () => number {
  let depth = 0
  let readAt = -Infinity
  let reading = false
  return () => {
    if (!reading && performance.now() - readAt >= MAX_AGE_MS) {
      reading = true
      // Redis is down: the last count is used; adding the job will show whether the request can be accepted.
      read()
        .then(
          (count) => {
            depth = count
          },
          () => {}
        )
        .finally(() => {
          reading = false
          readAt = performance.now()
        })
    }
    return depth
  }
}
