import type { Quota } from '@filewright/db'
import { AppError } from '@filewright/runtime'

/** Its own quota if it has one, otherwise the default; null means no limit. */
export function effectiveQuota(own: Readonly<Quota>, fallback: Quota): Quota {
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
  /** No file of any size fits any more. */
  isUsedUp: boolean
  /** Files or bytes in the trash, which count as well. */
  inTrash?: number
}

/**
 * An upload beyond a quota. `quota` is used for the public message: "The project has reached its limit of
 * 5000 files".
 */
export class QuotaExceededError extends AppError {
  readonly quota: ExceededQuota

  constructor(quota: ExceededQuota) {
    super('QUOTA_EXCEEDED', `the ${quota.of} has a limit of ${quota.limit} ${quota.unit}`)
    this.name = 'QuotaExceededError'
    this.quota = quota
  }
}
