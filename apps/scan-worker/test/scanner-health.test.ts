import t from 'tap'
import type { ScannerHealth } from '@filewright/scanner'
import { reportScanner } from '../src/scanner-health.js'

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
const report = async (health: ScannerHealth) => await reportScanner({ probe: async () => health })
const tested: ScannerHealth = { ok: true, checkedAt: hoursAgo(0), engine: 'ClamAV 1.4.6/27500' }

t.test('a healthy scanner reports its engine and the age of its signatures', async (t) => {
  t.match(await report({ ...tested, signaturesAt: hoursAgo(20) }), {
    ok: true,
    facts: { engine: 'ClamAV 1.4.6/27500', self_test_age_seconds: Number, signatures_age_hours: 20 }
  })
})

t.test("a scanner's warning is passed on", async (t) => {
  t.match(await report({ ...tested, signaturesAt: hoursAgo(90), warning: 'old' }), {
    ok: true,
    warning: 'old'
  })
})

t.test('a scanner with only our baseline says so, healthy or not', async (t) => {
  t.match(await report({ ...tested, signaturesAt: null }), {
    ok: true,
    facts: { signatures: 'baseline only' }
  })
  t.match(await report({ ...tested, ok: false, signaturesAt: null, reason: 'none' }), {
    ok: false,
    reason: 'none',
    facts: { signatures: 'baseline only' }
  })
})

t.test('a scanner that does not answer reports the reason', async (t) => {
  t.strictSame(await report({ ok: false, checkedAt: null, reason: 'refused' }), {
    ok: false,
    reason: 'refused',
    facts: {}
  })
})
