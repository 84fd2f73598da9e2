import type { HealthResult, HealthFacts } from '@filewright/runtime'
import { signatureAgeHours, type Scanner } from '@filewright/scanner'

/** Whether clamd can be trusted right now: it answers, detected the test virus, and has recent signatures. */
export async function reportScanner(
  scanner: Pick<Scanner, 'probe'>,
  signal?: AbortSignal
): Promise<HealthResult> {
  const {
    ok,
    checkedAt,
    reason = 'not checked yet',
    warning,
    engine,
    signaturesAt
  } = await scanner.probe({ signal })
  const facts: HealthFacts = {
    ...(engine === undefined ? {} : { engine }),
    ...(checkedAt === null
      ? {}
      : { self_test_age_seconds: Math.round((Date.now() - checkedAt.getTime()) / 1000) }),
    ...(signaturesAt == null ? {} : { signatures_age_hours: signatureAgeHours(signaturesAt) }),
    ...(signaturesAt === null ? { signatures: 'baseline only' } : {})
  }
  if (!ok) return { ok, reason, facts }
  return warning === undefined ? { ok, facts } : { ok, warning, facts }
}
