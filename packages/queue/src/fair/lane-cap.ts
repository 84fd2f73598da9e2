/** For workers that do not say how many jobs they run at once. */
const UNKNOWN_SLOTS = 8
const FRESH_MS = 1_000

/** What one lane may have in the queue: a quarter of the fleet's places, but at least one, is kept for the others. */
export function capOf (slots: number): number {
  return Math.max(1, slots - Math.max(1, Math.floor(slots / 4)))
}

/** How a worker announces itself: a name of its own, then how many jobs it runs at once. */
export function slotsMember (workerId: string, concurrency: number): string {
  return `${workerId}/${concurrency}`
}

export interface LaneCap {
  /** By the workers that were alive a moment ago. 1 until they are known. */
  current: () => number
  /** Whether the last look was some time ago. */
  isStale: () => boolean
  /** Never rejects. */
  refresh: () => Promise<void>
}

export function createLaneCap (readMembers: () => Promise<string[]>): LaneCap {
  let cap = 1
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  async function read (): Promise<void> {
    const slots = (await readMembers()).reduce((sum, member) => sum + Number(member.split('/')[1] ?? 0), 0)
    cap = capOf(slots > 0 ? slots : UNKNOWN_SLOTS)
    readAt = performance.now()
  }

  return {
    current: () => cap,
    isStale: () => performance.now() - readAt >= FRESH_MS,
    refresh: async () => {
      // Redis away: the last answer stands.
      reading ??= read().catch(() => {}).finally(() => { reading = undefined })
      await reading
    }
  }
}
