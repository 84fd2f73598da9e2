import { shareOf } from '@filewright/runtime'

/** For workers that do not report their concurrency. */
const UNKNOWN_SLOTS = 8
const FRESH_MS = 1_000

/** How a worker announces itself: its own name, then its concurrency. */
export function slotsMember(workerId: string, concurrency: number): string {
  return `${workerId}/${concurrency}`
}

export interface LaneCap {
  /** A lane's share of the slots of all live workers. 1 until they are known. */
  share: () => number
  /** All slots of these workers, and as many jobs again, so that a worker always finds the next one. */
  twiceSlots: () => number
  /** Whether the last check was some time ago. */
  isStale: () => boolean
  /** Never rejects. */
  refresh: () => Promise<void>
}

export function createLaneCap(readMembers: () => Promise<string[]>): LaneCap {
  let share = 1
  let twiceSlots = 1
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const members = await readMembers()
    const workers = members.map((member) => Number(member.split('/')[1] ?? UNKNOWN_SLOTS))
    if (workers.length === 0) workers.push(UNKNOWN_SLOTS)
    share = sum(workers.map(shareOf))
    twiceSlots = 2 * sum(workers)
    readAt = performance.now()
  }

  return {
    share: () => share,
    twiceSlots: () => twiceSlots,
    isStale: () => performance.now() - readAt >= FRESH_MS,
    refresh: async () => {
      // Redis is down: the last result is used.
      reading ??= read()
        .catch(() => {})
        .finally(() => {
          reading = undefined
        })
      await reading
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
