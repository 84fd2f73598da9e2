import type { InstreamTimeouts } from './instream.js'

export interface ClamdTimeouts extends InstreamTimeouts {
  /** Limits each exchange of a self-test, which a living clamd answers in milliseconds. */
  selfTestMs: number
  /** From one passed self-test to the next. */
  selfTestIntervalMs: number
  /** From a failed self-test to the next. */
  selfTestRetryMs: number
}

export const defaultTimeouts: ClamdTimeouts = {
  connectMs: 2_000,
  idleMs: 15_000,
  totalMs: 75_000,
  selfTestMs: 10_000,
  selfTestIntervalMs: 300_000,
  selfTestRetryMs: 2_000
}
