import { shareOf } from '@filewright/runtime'

/** For workers that do not say how many jobs they run at once. */
const UNKNOWN_PLACES = 8
const FRESH_MS = 1_000

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
    const members = await readMembers()
    const shares = members.map((member) => shareOf(Number(member.split('/')[1] ?? UNKNOWN_PLACES)))
    cap = shares.length === 0 ? shareOf(UNKNOWN_PLACES) : shares.reduce((sum, share) => sum + share, 0)
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
