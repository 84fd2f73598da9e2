/** Runs the work repeatedly in that many lanes until it is stopped, and then waits for running work. */
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
