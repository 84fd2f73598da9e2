import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline, type HealthResult } from '@filewright/runtime'

const LOOK_EVERY_MS = 3_000
const LOOK_AGAIN_MS = 1_000
/** A check has its own limits. This ends one that has none. */
const MAX_LOOK_MS = 15_000

export interface SelfCheckDeps {
  /** The current state of the worker's dependency. */
  check: (signal: AbortSignal) => Promise<HealthResult>
  /** Called after every check. `hasChanged`: the dependency started or stopped working. */
  onReport: (report: HealthResult, hasChanged: boolean) => void
}

export interface SelfCheck {
  /** The result of the last check. */
  report: () => HealthResult
  /** Checks now. The check starts after this call, so it reflects what the caller has seen. */
  look: () => Promise<HealthResult>
  stop: () => void
}

/** Checks the worker's dependency every three seconds, and every second while it is down. */
export function startSelfCheck({ check, onReport }: SelfCheckDeps): SelfCheck {
  const stopping = new AbortController()
  let report: HealthResult = { ok: false, reason: 'not checked yet' }
  let looking: Promise<HealthResult> | undefined

  async function checkOnce(): Promise<HealthResult> {
    const { ok } = report
    try {
      report = await withDeadline(check, { ms: MAX_LOOK_MS, signal: stopping.signal })
    } catch (error) {
      report = { ok: false, reason: error instanceof Error ? error.message : String(error) }
    }
    if (!stopping.signal.aborted) onReport(report, report.ok !== ok)
    return report
  }

  /** Calls during a check share it. */
  function share(): Promise<HealthResult> {
    looking ??= checkOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { ok } = await share()
      await sleep(ok ? LOOK_EVERY_MS : LOOK_AGAIN_MS, undefined, {
        signal: stopping.signal,
        ref: false
      }).catch(() => {})
    }
  }
  void loop()

  return {
    report: () => report,
    look: async () => {
      await looking
      return await share()
    },
    stop: () => stopping.abort()
  }
}
