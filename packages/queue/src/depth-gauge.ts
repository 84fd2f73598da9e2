/** A count this old still tells a full queue from an empty one, and spares every request a round trip. */
const MAX_AGE_MS = 250

/**
 * How many jobs waited when it was last looked at; every call looks again in the background if that was some
 * time ago.
 */
export function createDepthGauge(read: () => Promise<number>): () => number {
  let depth = 0
  let readAt = -Infinity
  let reading = false
  return () => {
    if (!reading && performance.now() - readAt >= MAX_AGE_MS) {
      reading = true
      // Redis away: the last count stands; whether the request can be taken at all is found out by adding its
      // job.
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
