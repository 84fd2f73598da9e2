import { abortable, AppError, isAppError, type Logger } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'
import type { ScannerHealth } from '../scanner.js'
import { unavailable, type ClamdAddress } from './clamd-address.js'
import { clamdVersion } from './clamscan-client.js'
import { runSelfTest, UntrustworthyClamdError } from './self-test.js'
import { judgeSignatures, type SignaturePolicy, type SignatureState } from './signature-policy.js'
import type { ClamdTimeouts } from './timeouts.js'

export interface ClamdHealthOptions {
  address: ClamdAddress
  timeouts: ClamdTimeouts
  logger: Logger
  /** Without a policy, any signatures are accepted. */
  policy?: SignaturePolicy | undefined
}

export interface ClamdHealth {
  /** The engine of a trusted clamd, or SCAN_UNAVAILABLE. */
  requireEngine: (signal?: AbortSignal) => Promise<string>
  selfTest: (signal?: AbortSignal) => Promise<string>
  /** Checks that a clamd that passed its self-test still answers, and tests it again when it was replaced. */
  probe: (signal?: AbortSignal) => Promise<ScannerHealth>
  /** A scan failed: check soon. */
  suspect: () => void
  report: () => ScannerHealth
  start: () => Promise<void>
  close: () => Promise<void>
}

type State =
  | { kind: 'unknown' }
  | { kind: 'ok'; engine: string; signaturesAt: Date | null; checkedAt: Date }
  | { kind: 'down' | 'untrustworthy'; reason: string; checkedAt: Date }

export function createClamdHealth({ address, timeouts, logger, policy }: ClamdHealthOptions): ClamdHealth {
  const closing = new AbortController()
  let state: State = { kind: 'unknown' }
  let running: Promise<string> | undefined
  let timer: NodeJS.Timeout | undefined
  let started = false
  let baselineWarned = false
  let unofficialWarned = false

  async function runOnce(): Promise<string> {
    try {
      const sample = {
        ...timeouts,
        idleMs: Math.min(timeouts.idleMs, timeouts.selfTestMs),
        totalMs: timeouts.selfTestMs
      }
      const { engine, signaturesAt, baseline } = await runSelfTest({
        address,
        timeouts: sample,
        signal: closing.signal
      })
      if (state.kind !== 'ok') logger.info({ engine }, 'clamd passed its self-test')
      if (!baseline && !baselineWarned) {
        logger.warn(
          'clamd runs without the signatures of infra/clamav: nested archives that it cannot open will pass unseen'
        )
      }
      baselineWarned = !baseline
      if (signaturesAt === null && policy?.allowBaseline === true && !unofficialWarned) {
        logger.warn(
          'ALLOW_BASELINE_SIGNATURES is set and clamd has no official signatures: ' +
            'files are accepted that nobody looked at for real malware'
        )
      }
      unofficialWarned = signaturesAt === null
      state = { kind: 'ok', engine, signaturesAt, checkedAt: new Date() }
      return engine
    } catch (error) {
      if (closing.signal.aborted) throw unavailable('the scanner is closed', error)
      const reason = error instanceof Error ? error.message : String(error)
      const kind = error instanceof UntrustworthyClamdError ? 'untrustworthy' : 'down'
      if (state.kind !== kind) logger.error({ err: error }, 'clamd failed its self-test')
      state = { kind, reason, checkedAt: new Date() }
      throw isAppError(error) ? error : unavailable(reason, error)
    }
  }

  /** Calls during a check share it. */
  function shared(): Promise<string> {
    running ??= runOnce().finally(() => {
      running = undefined
      schedule(state.kind === 'ok' ? timeouts.selfTestIntervalMs : timeouts.selfTestRetryMs)
    })
    return running
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (!started || closing.signal.aborted) return
    // The state and the log already have the error.
    timer = setTimeout(() => {
      shared().catch(() => {})
    }, delayMs).unref()
  }

  async function selfTest(signal?: AbortSignal): Promise<string> {
    if (closing.signal.aborted) throw unavailable('the scanner is closed')
    throwIfCancelled(signal)
    // Only this caller stops waiting; others may wait for the same test.
    return await abortable(shared(), signal, cancelled)
  }

  /** Judged on every call, because signatures age while clamd stays the same. */
  function judge(signaturesAt: Date | null): SignatureState {
    return policy === undefined ? { ok: true } : judgeSignatures(signaturesAt, policy)
  }

  function report(): ScannerHealth {
    if (state.kind === 'unknown') return { ok: false, checkedAt: null, reason: 'no self-test yet' }
    const { checkedAt } = state
    if (state.kind !== 'ok') return { ok: false, checkedAt, reason: state.reason }
    const { engine, signaturesAt } = state
    return { checkedAt, engine, signaturesAt, ...judge(signaturesAt) }
  }

  async function probe(signal?: AbortSignal): Promise<ScannerHealth> {
    // A failed clamd is tested again every few seconds anyway.
    if (state.kind !== 'ok') return report()
    try {
      const { engine } = await clamdVersion({ address, timeoutMs: timeouts.probeMs, signal })
      if (engine !== state.engine) await selfTest(signal)
    } catch (error) {
      schedule(0)
      return { ...report(), ok: false, reason: error instanceof Error ? error.message : String(error) }
    }
    return report()
  }

  return {
    selfTest,
    probe,
    requireEngine: async (signal) => {
      if (closing.signal.aborted) throw unavailable('the scanner is closed')
      throwIfCancelled(signal)
      if (state.kind === 'untrustworthy') throw unavailable(state.reason)
      // Unknown, or down a moment ago: a check costs milliseconds and recovers without waiting for the next
      // test.
      if (state.kind !== 'ok') await selfTest(signal)
      const { ok, reason = 'clamd is away again', engine = '' } = report()
      // Not retryable: new signatures do not arrive within seconds.
      if (!ok) throw new AppError('SCAN_UNAVAILABLE', reason)
      return engine
    },
    suspect: () => schedule(0),
    report,
    start: async () => {
      started = true
      await selfTest().catch(() => {})
    },
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await running?.catch(() => {})
    }
  }
}
