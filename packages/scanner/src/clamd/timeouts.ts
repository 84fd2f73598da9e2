import type { InstreamTimeouts } from './instream.js'

export interface ClamdTimeouts extends InstreamTimeouts {
  /**
   * A clamd that does not report its version for this long counts as frozen. Longer than clamd is silent
   * while it loads new signatures or a busy machine delays it.
   */
  probeMs: number
  /** Limits each exchange of a self-test, which a healthy clamd answers in milliseconds. */
  selfTestMs: number
  selfTestIntervalMs: number
  selfTestRetryMs: number
}

export const defaultTimeouts: ClamdTimeouts = {
  connectMs: 2_000,
  idleMs: 15_000,
  totalMs: 75_000,
  probeMs: 5_000,
  selfTestMs: 10_000,
  selfTestIntervalMs: 300_000,
  selfTestRetryMs: 2_000
}
