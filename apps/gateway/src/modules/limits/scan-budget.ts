import type { WindowCounter } from '@filewright/queue'
import { WINDOW_MS } from './rate-limiter.js'

export interface ScanCost {
  scanMs?: number | undefined
  unpackedBytes?: number | undefined
}

export interface ScanBudget {
  /**
   * Seconds until the token may upload again; null when it may now. Uses the last known count; never waits
   * for Redis.
   */
  secondsToWait: (tokenId: string) => number | null
  /** Records the cost of a scan, whatever its verdict. Runs in the background and never fails. */
  charge: (tokenId: string, cost: ScanCost) => void
}

export interface ScanBudgetDeps {
  counter: Pick<WindowCounter, 'hit'>
  /** Time and bytes per token and minute, across all gateways; 0 means no limit. */
  scanSeconds: number
  unpackedBytes: number
  now?: () => number
}

/** Smaller costs are bounded by the request limit and not worth a round trip. */
const NOTABLE = { scanMs: 100, unpackedBytes: 1024 * 1024 }
/** Redis counts integers. These values stay far below the maximum. */
const KIB = 1024
const MAX_TOKENS = 10_000

interface Spent {
  scanMs: number
  unpackedBytes: number
  endsAt: number
}

/**
 * Two uploads of the same size may differ a thousandfold in scan cost, so a token has a budget for both time
 * and bytes.
 */
export function createScanBudget({
  counter,
  scanSeconds,
  unpackedBytes,
  now = Date.now
}: ScanBudgetDeps): ScanBudget {
  const known = new Map<string, Spent>()

  const isOver = ({ scanMs, unpackedBytes: unpacked }: Spent): boolean =>
    (scanSeconds > 0 && scanMs > scanSeconds * 1_000) || (unpackedBytes > 0 && unpacked > unpackedBytes)

  function current(tokenId: string): Spent {
    const spent = known.get(tokenId)
    return spent !== undefined && spent.endsAt > now()
      ? spent
      : { scanMs: 0, unpackedBytes: 0, endsAt: now() + WINDOW_MS }
  }

  async function tell(tokenId: string, cost: Required<ScanCost>): Promise<void> {
    const [time, bytes] =
      (await counter.hit([
        { name: `{${tokenId}}:scan-ms`, by: cost.scanMs ?? 0 },
        { name: `{${tokenId}}:unpacked-kib`, by: Math.ceil((cost.unpackedBytes ?? 0) / KIB) }
      ])) ?? []
    // Redis is down: each gateway uses its own count.
    if (time === undefined || bytes === undefined) return
    const own = current(tokenId)
    known.set(tokenId, {
      scanMs: Math.max(own.scanMs, time.count),
      unpackedBytes: Math.max(own.unpackedBytes, bytes.count * KIB),
      endsAt: now() + Math.max(time.resetMs, bytes.resetMs)
    })
  }

  return {
    secondsToWait: (tokenId) => {
      const spent = current(tokenId)
      return isOver(spent) ? Math.max(1, Math.ceil((spent.endsAt - now()) / 1_000)) : null
    },
    charge: (tokenId, { scanMs = 0, unpackedBytes: unpacked = 0 }) => {
      if (scanMs < NOTABLE.scanMs && unpacked < NOTABLE.unpackedBytes) return
      const own = current(tokenId)
      if (known.size >= MAX_TOKENS) known.clear()
      known.set(tokenId, {
        scanMs: own.scanMs + scanMs,
        unpackedBytes: own.unpackedBytes + unpacked,
        endsAt: own.endsAt
      })
      void tell(tokenId, { scanMs, unpackedBytes: unpacked })
    }
  }
}
