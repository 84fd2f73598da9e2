/**
 * Runs the work again and again, in so many lanes, until it is told to stop; then waits for what is under
 * way.
 */
export function startLanes(
  count: number,
  work: (lane: number, turn: number) => Promise<unknown>
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const lanes = Array.from({ length: count }, async (_, lane) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) await work(lane, turn)
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(lanes)
    }
  }
}
