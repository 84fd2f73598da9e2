import type { Finding, HealthFacts } from '@filewright/runtime'
import type { Scanner } from '@filewright/scanner'

export interface ScannerHealthDeps {
  scanner: Pick<Scanner, 'probe'>
  /** Official signatures older than this are no protection; 0 accepts any age. */
  signaturesMaxAgeHours: number
}

const HOUR_MS = 3_600_000

/** What clamd is worth at this moment: it answers, it found the test virus, and it knows recent ones. */
export async function reportScanner ({ scanner, signaturesMaxAgeHours }: ScannerHealthDeps, signal?: AbortSignal): Promise<Finding> {
  const { ok, checkedAt, reason = 'not checked yet', engine, signaturesAt } = await scanner.probe({ signal })
  const ageHours = signaturesAt == null ? undefined : Math.max(0, Math.round((Date.now() - signaturesAt.getTime()) / HOUR_MS))
  const facts: HealthFacts = {
    ...(engine === undefined ? {} : { engine }),
    ...(checkedAt === null ? {} : { self_test_age_seconds: Math.round((Date.now() - checkedAt.getTime()) / 1000) }),
    ...(ageHours === undefined ? {} : { signatures_age_hours: ageHours }),
    ...(signaturesAt === null ? { signatures: 'baseline only' } : {})
  }
  if (!ok) return { ok, reason, facts }
  if (signaturesMaxAgeHours > 0 && ageHours !== undefined && ageHours > signaturesMaxAgeHours) {
    return { ok: false, reason: `the signatures are ${ageHours} hours old, more than SIGNATURES_MAX_AGE_HOURS allows`, facts }
  }
  return { ok, facts }
}
