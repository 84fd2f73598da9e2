/** What remains of a limit, and when it resets, in `Date.now` time. */
export interface Allowance {
  limit: number
  left: number
  endsAt: number
}

/** Reads the headers of a response. Every response to a known token has them, unless there is no limit. */
export function allowanceOf(headers: Pick<Headers, 'get'>, now = Date.now()): Allowance | null {
  const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? NaN : Number(value)
  })
  if (limit === undefined || left === undefined || seconds === undefined) return null
  if ([limit, left, seconds].some(Number.isNaN)) return null
  return { limit, left, endsAt: now + seconds * 1_000 }
}

/** The share of a limit that bulk work leaves to other programs of the same user. */
const INTERACTIVE_SHARE = 0.2

/** How long bulk work pauses, so that other requests with the same token are not refused meanwhile. */
export function bulkPauseMs(allowance: Allowance | null, now = Date.now()): number {
  if (allowance === null || allowance.left > Math.ceil(allowance.limit * INTERACTIVE_SHARE)) return 0
  return Math.max(0, allowance.endsAt - now)
}
