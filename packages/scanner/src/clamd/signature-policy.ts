import { setting } from '@filewright/runtime'

export const signatureConfig = {
  SIGNATURES_MAX_AGE_HOURS: setting.integer(
    168,
    [0],
    'If the official signatures are older than this, uploads get 503; from half of this age on, the scanner is degraded. 0 accepts any age'
  ),
  ALLOW_BASELINE_SIGNATURES: setting.flag(
    false,
    'Accept files that were scanned without the official signatures; our own detect only test files'
  )
}

export interface SignaturePolicy {
  /** 0 accepts any age. */
  maxAgeHours: number
  /** Whether a clamd without the official signatures may give verdicts. */
  allowBaseline: boolean
}

/** If `ok` is false, verdicts must not be used. A warning is for the operator. */
export type SignatureState = { ok: true; warning?: string } | { ok: false; reason: string }

const HOUR_MS = 3_600_000

export function signatureAgeHours(signaturesAt: Date): number {
  return Math.max(0, Math.round((Date.now() - signaturesAt.getTime()) / HOUR_MS))
}

/** @param signaturesAt when the official signatures were published; null without them */
export function judgeSignatures(
  signaturesAt: Date | null,
  { maxAgeHours, allowBaseline }: SignaturePolicy
): SignatureState {
  if (signaturesAt === null) {
    if (allowBaseline) return { ok: true }
    return { ok: false, reason: 'clamd has no official signatures, without which it finds test files only' }
  }
  if (maxAgeHours === 0) return { ok: true }
  const age = signatureAgeHours(signaturesAt)
  const limit = `SIGNATURES_MAX_AGE_HOURS allows ${maxAgeHours}`
  if (age > maxAgeHours) return { ok: false, reason: `the signatures are ${age} hours old, ${limit}` }
  return age > maxAgeHours / 2
    ? { ok: true, warning: `the signatures are ${age} hours old, ${limit}` }
    : { ok: true }
}
