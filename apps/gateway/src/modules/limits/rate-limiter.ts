import type { WindowCounter } from '@filewright/queue'
import { createLocalWindows } from './local-windows.js'
import { createSharedCounts } from './shared-counts.js'

export interface Allowance {
  admitted: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request of a token. Null when nothing limits it. Never rejects and never waits long. */
  take: (tokenId: string, options: { ai: boolean }) => Promise<Allowance | null>
}

export interface RateLimiterDeps {
  counter: Pick<WindowCounter, 'hit'>
  /** Requests per minute; 0 means no limit. */
  perMinute: number
  aiPerMinute: number
}

export const WINDOW_MS = 60_000

/**
 * Per token, across all gateways. While Redis is down, each gateway uses its own count, so the limit is per
 * gateway but never off.
 */
export function createRateLimiter({ counter, perMinute, aiPerMinute }: RateLimiterDeps): RateLimiter {
  const local = createLocalWindows(WINDOW_MS)
  const sharedCounts = createSharedCounts(counter)
  return {
    take: async (tokenId, { ai }) => {
      // The braces (hash tag) keep both keys on one node of a Redis Cluster.
      const limits = [
        { name: `{${tokenId}}:all`, limit: perMinute },
        { name: `{${tokenId}}:ai`, limit: ai ? aiPerMinute : 0 }
      ].filter(({ limit }) => limit > 0)
      if (limits.length === 0) return null
      const own = limits.map(({ name }) => local.hit(name))
      const shared = await sharedCounts.hit(limits)
      // Redis may have missed requests that were counted here while it was slow.
      const counts = own.map((mine, i) =>
        shared?.[i] !== undefined && shared[i].count >= mine.count ? shared[i] : mine
      )
      const allowances = limits.map(({ limit }, i): Allowance => {
        const { count, resetMs } = counts[i] ?? { count: 0, resetMs: WINDOW_MS }
        return {
          admitted: count <= limit,
          limit,
          remaining: Math.max(0, limit - count),
          resetSeconds: Math.max(1, Math.ceil(resetMs / 1000))
        }
      })
      // Reports the limit that stops the client first: the one with the longest wait, or else the one nearest
      // to its maximum.
      return (
        allowances.sort(
          (a, b) =>
            Number(a.admitted) - Number(b.admitted) ||
            a.remaining - b.remaining ||
            b.resetSeconds - a.resetSeconds
        )[0] ?? null
      )
    }
  }
}
