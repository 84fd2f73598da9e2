import type { WindowCount, WindowCounter } from '@filewright/queue'

export interface Counted {
  name: string
  limit: number
}

export interface SharedCounts {
  /**
   * Counts one hit on each key; all keys must belong to one caller. Null when the shared counts are
   * unavailable.
   */
  hit: (counted: readonly Counted[]) => Promise<WindowCount[] | null>
}

/** Hits far below a limit are collected for this long and sent to Redis together. */
const FLUSH_AFTER_MS = 100

/** This close to a limit, every hit is sent to Redis before the request is answered. */
const exactFrom = (limit: number): number => limit - Math.max(50, limit / 10)

interface Known {
  count: number
  endsAt: number
  untold: number
}

/**
 * The counts of all gateways. Far below a limit, a request does not wait for Redis: it is added to the last
 * known count and sent a moment later. A limit may be exceeded by what other gateways admitted in that
 * moment, less the margin in which all counts are exact.
 */
export function createSharedCounts(
  counter: Pick<WindowCounter, 'hit'>,
  now: () => number = Date.now
): SharedCounts {
  const known = new Map<string, Known>()

  async function tell(names: readonly string[], own: 0 | 1): Promise<WindowCount[] | null> {
    const hits = names.map((name) => {
      const entry = known.get(name)
      const by = (entry?.untold ?? 0) + own
      if (entry !== undefined) Object.assign(entry, { count: entry.count + by, untold: 0 })
      return { name, by }
    })
    const counts = await counter.hit(hits)
    names.forEach((name, i) => {
      const counted = counts?.[i]
      if (counted === undefined) known.delete(name)
      // Hits since the command was sent are not in its reply.
      else {
        known.set(name, {
          count: counted.count,
          endsAt: now() + counted.resetMs,
          untold: known.get(name)?.untold ?? 0
        })
      }
    })
    return counts
  }

  function reportLater(names: readonly string[]): void {
    setTimeout(() => {
      void tell(names, 0)
      for (const [name, { endsAt, untold }] of known) if (endsAt <= now() && untold === 0) known.delete(name)
    }, FLUSH_AFTER_MS).unref()
  }

  return {
    hit: async (counted) => {
      const entries = counted.map(({ name, limit }) => {
        const entry = known.get(name)
        return entry !== undefined && entry.endsAt > now() && entry.count + entry.untold < exactFrom(limit)
          ? entry
          : undefined
      })
      const names = counted.map(({ name }) => name)
      if (!entries.every((entry) => entry !== undefined)) return await tell(names, 1)
      if (entries.every(({ untold }) => untold === 0)) reportLater(names)
      return entries.map((entry) => {
        entry.untold++
        return { count: entry.count + entry.untold, resetMs: entry.endsAt - now() }
      })
    }
  }
}
