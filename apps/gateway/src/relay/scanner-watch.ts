import type { Database } from '@filewright/db'
import type { HealthMonitor, Logger } from '@filewright/runtime'

export interface ScannerWatch {
  /** Checks the last health reports once. */
  look: () => Promise<void>
  start: () => void
  stop: () => Promise<void>
}

export interface ScannerWatchDeps {
  health: Pick<HealthMonitor, 'report'>
  events: Pick<Database['events'], 'notePart'>
  logger: Pick<Logger, 'warn'>
  intervalMs?: number
}

/** A scanner that was down for only one check causes no event. */
const LOOKS = 3
const CHECKS = ['scan-queue', 'clamd']

/**
 * Writes scanner.degraded and scanner.recovered. The database decides which of several gateways was first.
 */
export function createScannerWatch({
  health,
  events,
  logger,
  intervalMs = 5_000
}: ScannerWatchDeps): ScannerWatch {
  let seen: 'ok' | 'degraded' | undefined
  let noted: typeof seen
  let looks = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    const { checks } = health.report()
    const states = CHECKS.map((name) => checks[name]?.state ?? 'unknown')
    if (states.includes('unknown')) return
    const state = states.every((each) => each === 'ok') ? 'ok' : 'degraded'
    looks = state === seen ? looks + 1 : 1
    seen = state
    if (looks < LOOKS || state === noted) return
    await events.notePart('scanner', state)
    noted = state
  }

  return {
    look,
    start: () => {
      timer = setInterval(() => {
        running = look().catch((error: unknown) =>
          logger.warn({ err: error }, 'state of the scanner not recorded')
        )
      }, intervalMs).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await running
    }
  }
}
