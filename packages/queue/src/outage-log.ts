import type { Logger } from '@filewright/runtime'

/**
 * During an outage every connection reports an error at every retry; this logs one per interval and counts
 * the rest.
 */
const INTERVAL_MS = 10_000

export interface OutageLog {
  report: (error: unknown) => void
  recovered: () => void
}

export function createOutageLog(logger: Logger, what: string): OutageLog {
  let lastAt = -Infinity
  let suppressed = 0
  let failing = false
  return {
    report: (error) => {
      failing = true
      const now = performance.now()
      if (now - lastAt < INTERVAL_MS) {
        suppressed++
        return
      }
      lastAt = now
      logger.warn({ err: error, suppressed }, `${what}: error`)
      suppressed = 0
    },
    recovered: () => {
      if (!failing) return
      failing = false
      lastAt = -Infinity
      logger.info({ suppressed }, `${what}: connected again`)
      suppressed = 0
    }
  }
}
