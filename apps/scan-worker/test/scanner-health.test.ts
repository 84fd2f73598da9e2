import t from 'tap'
import type { ScannerHealth } from '@filewright/scanner'
import { reportScanner } from '../src/scanner-health.js'

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
const report = async (health: ScannerHealth, signaturesMaxAgeHours = 48) => {
  return await reportScanner({ scanner: { probe: async () => health }, signaturesMaxAgeHours })
}
const tested: ScannerHealth = { ok: true, checkedAt: hoursAgo(0), engine: 'ClamAV 1.4.6/27500' }

t.test('a scanner with recent signatures is well', async (t) => {
  t.match(await report({ ...tested, signaturesAt: hoursAgo(20) }), { ok: true, facts: { engine: 'ClamAV 1.4.6/27500', self_test_age_seconds: 0, signatures_age_hours: 20 } })
})

t.test('signatures older than allowed make it unwell, unless any age is', async (t) => {
  t.match(await report({ ...tested, signaturesAt: hoursAgo(49) }), { ok: false, reason: /49 hours old/ })
  t.match(await report({ ...tested, signaturesAt: hoursAgo(49) }, 0), { ok: true })
})

t.test('our own baseline has no date and is no reason to refuse', async (t) => {
  t.match(await report({ ...tested, signaturesAt: null }), { ok: true, facts: { signatures: 'baseline only' } })
})

t.test('a scanner that does not answer says why', async (t) => {
  t.strictSame(await report({ ok: false, checkedAt: null, reason: 'refused' }), { ok: false, reason: 'refused', facts: {} })
})
