import type { Quota } from '@filewright/db'

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
