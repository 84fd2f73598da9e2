import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './logger.js'
import { withDeadline } from './waiting.js'

/**
 * `start`: this process is useless without it. `ready`: requests would fail. `none`: problems are reported
 * and have no other effect.
 */
export type Gate = 'start' | 'ready' | 'none'

export type HealthFacts = Readonly<Record<string, string | number | boolean>>

/** A warning keeps the dependency in use and makes the whole degraded. */
export type HealthResult =
  | { ok: true; warning?: string; facts?: HealthFacts }
  | { ok: false; reason: string; facts?: HealthFacts }

export interface HealthCheck {
  /** The dependencies that one run checks, by name. */
  gates: Readonly<Record<string, Gate>>
  /** A dependency missing from the result keeps its last state; a rejection counts against all of them. */
  run: (signal: AbortSignal) => Promise<Readonly<Record<string, HealthResult>>>
  /**
   * Between two good runs. Default 6 s: with two deadlines and a retry, a stopped dependency is named within
   * 13 s.
   */
  intervalMs?: number
  /** Default 3 s. */
  timeoutMs?: number
}

export interface HealthEntry {
  state: 'ok' | 'degraded' | 'down' | 'unknown'
  /** Age of the last check; null before the first. */
  age_seconds: number | null
  reason?: string
  [fact: string]: string | number | boolean | null | undefined
}

export interface HealthReport {
  status: 'ok' | 'degraded' | 'unavailable'
  /** One sentence with everything that is wrong. */
  reason?: string
  checks: Record<string, HealthEntry>
}

export interface HealthMonitor {
  start: () => void
  /** The current knowledge; never waits. */
  report: (gate?: 'start' | 'ready') => HealthReport
  /** From now on every report says that the process is stopping. */
  announceStop: () => void
  stop: () => Promise<void>
}

export interface HealthMonitorOptions {
  checks: readonly HealthCheck[]
  logger: Pick<Logger, 'info' | 'warn'>
  /** Delay after a failed run. Default 1 s. */
  retryMs?: number
}

const INTERVAL_MS = 6_000
const TIMEOUT_MS = 3_000
const RETRY_MS = 1_000
const REASON_CHARS = 300

interface Known {
  gate: Gate
  finding: HealthResult | undefined
  checkedAt: number
  failures: number
}

/** A check of one dependency: it is healthy when the probe resolves. */
export function checkOf(
  name: string,
  gate: Gate,
  probe: (signal: AbortSignal) => Promise<HealthFacts | void>,
  timing: Pick<HealthCheck, 'intervalMs' | 'timeoutMs'> = {}
): HealthCheck {
  return {
    gates: { [name]: gate },
    run: async (signal) => {
      const facts = await probe(signal)
      return { [name]: { ok: true, ...(facts == null ? {} : { facts }) } }
    },
    ...timing
  }
}

/**
 * Checks every dependency in the background, each with its own deadline, so that a probe is answered at once
 * whatever hangs. A first failure of a healthy dependency is checked again before it counts: a lost packet
 * must not take a service out of rotation.
 */
export function createHealthMonitor({
  checks,
  logger,
  retryMs = RETRY_MS
}: HealthMonitorOptions): HealthMonitor {
  const stopping = new AbortController()
  const known = new Map<string, Known>(
    checks.flatMap(({ gates }) =>
      Object.entries(gates).map(([name, gate]) => {
        return [name, { gate, finding: undefined, checkedAt: 0, failures: 0 }] as const
      })
    )
  )
  let loops: Promise<void>[] = []
  let isStopping = false

  /** True if everything is healthy. */
  function learn(name: string, finding: HealthResult): boolean {
    const entry = known.get(name)
    if (entry === undefined) throw new Error(`${name} is not among the check's gates`)
    const earlier = entry.finding
    const before = earlier?.ok
    entry.failures = finding.ok ? 0 : entry.failures + 1
    if (!finding.ok && before === true && entry.failures < 2) return false
    entry.finding = finding
    entry.checkedAt = Date.now()
    if (finding.ok && finding.warning !== undefined && warningOf(earlier) === undefined) {
      logger.warn({ dependency: name, reason: finding.warning }, 'a dependency reports a warning')
    }
    if (!finding.ok && before !== false) {
      logger.warn({ dependency: name, reason: finding.reason }, 'a dependency does not work')
    }
    if (finding.ok && before === false) logger.info({ dependency: name }, 'a dependency works again')
    return finding.ok
  }

  async function runOnce({ gates, run, timeoutMs = TIMEOUT_MS }: HealthCheck): Promise<boolean> {
    let findings: Readonly<Record<string, HealthResult>>
    try {
      findings = await withDeadline(run, { ms: timeoutMs, signal: stopping.signal })
    } catch (error) {
      const finding: HealthResult = { ok: false, reason: reasonOf(error) }
      findings = Object.fromEntries(Object.keys(gates).map((name) => [name, finding]))
    }
    if (stopping.signal.aborted) return true
    return Object.entries(findings)
      .map(([name, finding]) => learn(name, finding))
      .every(Boolean)
  }

  async function loop(check: HealthCheck): Promise<void> {
    while (!stopping.signal.aborted) {
      const isWell = await runOnce(check)
      await sleep(isWell ? (check.intervalMs ?? INTERVAL_MS) : retryMs, undefined, {
        signal: stopping.signal,
        ref: false
      }).catch(() => {})
    }
  }

  return {
    start: () => {
      loops = checks.map(loop)
    },
    report: (gate = 'ready') => {
      const report = reportOf(known, gate)
      return isStopping ? { ...report, status: 'unavailable', reason: 'the process is stopping' } : report
    },
    announceStop: () => {
      isStopping = true
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    }
  }
}

const warningOf = (finding: HealthResult | undefined): string | undefined =>
  finding?.ok === true ? finding.warning : undefined

function reportOf(known: ReadonlyMap<string, Known>, asked: 'start' | 'ready'): HealthReport {
  const entries = [...known].filter(([, { gate }]) => asked === 'ready' || gate === 'start')
  const troubles = entries.flatMap(([name, { finding }]) => {
    const trouble = finding === undefined ? NOT_YET : finding.ok ? finding.warning : finding.reason
    return trouble === undefined ? [] : [`${name}: ${trouble}`]
  })
  const isBlocked = entries.some(([, { gate, finding }]) => gate !== 'none' && finding?.ok !== true)
  return {
    status: troubles.length === 0 ? 'ok' : isBlocked ? 'unavailable' : 'degraded',
    ...(troubles.length === 0 ? {} : { reason: troubles.join('; ') }),
    checks: Object.fromEntries(entries.map(([name, entry]) => [name, entryOf(entry)]))
  }
}

const NOT_YET = 'not checked yet'

function entryOf({ finding, checkedAt }: Known): HealthEntry {
  if (finding === undefined) return { state: 'unknown', age_seconds: null, reason: NOT_YET }
  const reason = finding.ok ? finding.warning : finding.reason
  return {
    state: !finding.ok ? 'down' : reason === undefined ? 'ok' : 'degraded',
    age_seconds: Math.round((Date.now() - checkedAt) / 100) / 10,
    ...(reason === undefined ? {} : { reason }),
    ...finding.facts
  }
}

/** First line only, and short: the rest is for the log. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text.trim().split('\n')[0] ?? ''
  return line.length <= REASON_CHARS ? line : `${line.slice(0, REASON_CHARS).replace(/\s\S*$/, '')} …`
}
