import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline, type HealthResult } from '@filewright/runtime'

const LOOK_EVERY_MS = 3_000
const LOOK_AGAIN_MS = 1_000
/** A look has limits of its own. This one ends a look that has none. */
const MAX_LOOK_MS = 15_000

export interface SelfCheckDeps {
  /** How the part behind the worker is at this moment. */
  check: (signal: AbortSignal) => Promise<HealthResult>
  /** After every look. `hasChanged`: the part works again, or works no more. */
  onReport: (report: HealthResult, hasChanged: boolean) => void
}

export interface SelfCheck {
  /** What the last look found. */
  report: () => HealthResult
  /** Looks at once. The look begins after this call, so that it knows of what the caller has seen. */
  look: () => Promise<HealthResult>
  stop: () => void
}

/** Looks at the part behind a worker every three seconds, and every second while the part is down. */
export function startSelfCheck({ check, onReport }: SelfCheckDeps): SelfCheck {
  const stopping = new AbortController()
  let report: HealthResult = { ok: false, reason: 'not checked yet' }
  let looking: Promise<HealthResult> | undefined

  async function lookOnce(): Promise<HealthResult> {
    const { ok } = report
    try {
      report = await withDeadline(check, { ms: MAX_LOOK_MS, signal: stopping.signal })
    } catch (error) {
      report = { ok: false, reason: error instanceof Error ? error.message : String(error) }
    }
    if (!stopping.signal.aborted) onReport(report, report.ok !== ok)
    return report
  }

  /** Calls during a look share it. */
  function share(): Promise<HealthResult> {
    looking ??= lookOnce().finally(() => {
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
    stop: () => {
      stopping.abort()
    }
  }
}
