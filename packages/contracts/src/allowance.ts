/** The rest of a limit and when it resets, in `Date.now` time. */
export interface Allowance {
  limit: number
  left: number
  endsAt: number
}

/** From the headers of every response to a known token, unless nothing is limited. */
export function allowanceOf(headers: Pick<Headers, 'get'>, now = Date.now()): Allowance | null {
  const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? NaN : Number(value)
  })
  if (limit === undefined || left === undefined || seconds === undefined) return null
  if ([limit, left, seconds].some(Number.isNaN)) return null
  return { limit, left, endsAt: now + seconds * 1_000 }
}

/** The part of a limit that work on many files leaves to other programs of the same user. */
const INTERACTIVE_SHARE = 0.2

/** How long work on many files waits, so that a person with the same token is not refused meanwhile. */
export function bulkPauseMs(allowance: Allowance | null, now = Date.now()): number {
  if (allowance === null || allowance.left > Math.ceil(allowance.limit * INTERACTIVE_SHARE)) return 0
  return Math.max(0, allowance.endsAt - now)
}
