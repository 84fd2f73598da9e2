/** The rest of a limit and when it resets, in `Date.now` time. */
export interface Allowance {
  limit: number
  left: number
  endsAt: number
}

/** From the headers of every response to a known token, unless nothing is limited. */
export function allowanceOf(headers: Headers, now = Date.now()): Allowance | null {
  const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? NaN : Number(value)
  })
  if (limit === undefined || left === undefined || seconds === undefined) return null
  if ([limit, left, seconds].some(Number.isNaN)) return null
  return { limit, left, endsAt: now + seconds * 1_000 }
}
