import { shareOf } from '@filewright/runtime'

/** For workers that do not say how many jobs they run at once. */
const UNKNOWN_PLACES = 8
const FRESH_MS = 1_000

/** How a worker announces itself: a name of its own, then how many jobs it runs at once. */
export function slotsMember(workerId: string, concurrency: number): string {
  return `${workerId}/${concurrency}`
}

export interface LaneCap {
  /** A lane's share of the places of all workers that were alive a moment ago. 1 until they are known. */
  share: () => number
  /** All places of these workers, and as many jobs again, so that a worker always finds the next. */
  twicePlaces: () => number
  /** Whether the last look was some time ago. */
  isStale: () => boolean
  /** Never rejects. */
  refresh: () => Promise<void>
}

export function createLaneCap(readMembers: () => Promise<string[]>): LaneCap {
  let share = 1
  let twicePlaces = 1
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const members = await readMembers()
    const workers = members.map((member) => Number(member.split('/')[1] ?? UNKNOWN_PLACES))
    if (workers.length === 0) workers.push(UNKNOWN_PLACES)
    share = sum(workers.map(shareOf))
    twicePlaces = 2 * sum(workers)
    readAt = performance.now()
  }

  return {
    share: () => share,
    twicePlaces: () => twicePlaces,
    isStale: () => performance.now() - readAt >= FRESH_MS,
    refresh: async () => {
      // Redis away: the last answer stands.
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
