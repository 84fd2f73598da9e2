import type { Quota } from '@filewright/db'
import { AppError } from '@filewright/runtime'

/** Its own quota where it has one, else the default; null is no limit. */
export function effectiveQuota(own: Quota, fallback: Quota): Quota {
  const limit = (value: number | null, standard: number | null): number | null => {
    const chosen = value ?? standard
    return chosen === 0 ? null : chosen
  }
  return {
    maxFiles: limit(own.maxFiles, fallback.maxFiles),
    maxBytes: limit(own.maxBytes, fallback.maxBytes)
  }
}

/** Whose limit an upload would exceed. */
export interface ExceededQuota {
  of: 'project' | 'token'
  unit: 'files' | 'bytes'
  limit: number
  /** Nothing fits any more, whatever its size. */
  isUsedUp: boolean
}

/**
 * An upload beyond a quota. `quota` makes the public sentence: "The project has reached its limit of 5000
 * files".
 */
export class QuotaExceededError extends AppError {
  readonly quota: ExceededQuota

  constructor(quota: ExceededQuota) {
    super('QUOTA_EXCEEDED', `the ${quota.of} has a limit of ${quota.limit} ${quota.unit}`)
    this.name = 'QuotaExceededError'
    this.quota = quota
  }
}
