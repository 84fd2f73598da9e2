import { AppError, type ErrorCode } from '@filewright/runtime'
import type { TokenUsage } from './model-client.js'

/** Why a call to the model failed. */
export type ModelFailure =
  /** Nothing listens there, or it is unreachable. */
  | 'down'
  | 'missing'
  /** The runtime has the model but cannot load it, usually for lack of memory. */
  | 'unloadable'
  /** The runtime is busy. */
  | 'overloaded'
  /** The runtime reported an internal failure. */
  | 'failed'
  /** The runtime does not accept the request. */
  | 'refused'
  /** The connection ended before the response did. */
  | 'cut-off'
  /** A deadline passed. */
  | 'timeout'
  /** More output than requested or allowed. */
  | 'too-large'
  /** Not the runtime's protocol. */
  | 'protocol'
  /** The caller's signal was aborted. */
  | 'cancelled'

const outcomes: Record<ModelFailure, { code: ErrorCode; retryable: boolean }> = {
  // Not retryable: callers must learn within two seconds that the runtime is down, and a retry would use them
  // up.
  down: { code: 'MODEL_UNAVAILABLE', retryable: false },
  missing: { code: 'MODEL_UNAVAILABLE', retryable: false },
  unloadable: { code: 'MODEL_UNAVAILABLE', retryable: false },
  overloaded: { code: 'MODEL_UNAVAILABLE', retryable: true },
  failed: { code: 'MODEL_UNAVAILABLE', retryable: true },
  refused: { code: 'MODEL_UNAVAILABLE', retryable: false },
  'cut-off': { code: 'MODEL_UNAVAILABLE', retryable: true },
  timeout: { code: 'DEADLINE_EXCEEDED', retryable: false },
  'too-large': { code: 'MODEL_OUTPUT_INVALID', retryable: false },
  protocol: { code: 'MODEL_OUTPUT_INVALID', retryable: true },
  cancelled: { code: 'CANCELLED', retryable: false }
}

export class ModelError extends AppError {
  readonly reason: ModelFailure
  /** The cost of the call when it failed, by our own count; absent if the model never started. */
  usage: TokenUsage | undefined

  constructor(reason: ModelFailure, message: string, options: { cause?: unknown } = {}) {
    const { code, retryable } = outcomes[reason]
    super(code, message, { ...options, retryable })
    this.name = 'ModelError'
    this.reason = reason
  }
}

export function isModelError(error: unknown, reason?: ModelFailure): error is ModelError {
  return error instanceof ModelError && (reason === undefined || error.reason === reason)
}
