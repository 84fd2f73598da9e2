import t from 'tap'
import { judgeSignatures } from '../../src/clamd/signature-policy.js'

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
const policy = { maxAgeHours: 168, allowBaseline: false }

t.test(
  'signatures older than half the allowed age cause a warning, older than allowed a refusal',
  async (t) => {
    t.strictSame(judgeSignatures(hoursAgo(84), policy), { ok: true })
    t.match(judgeSignatures(hoursAgo(85), policy), { ok: true, warning: /85 hours old/ })
    t.match(judgeSignatures(hoursAgo(168), policy), { ok: true, warning: /168 hours old/ })
    t.match(judgeSignatures(hoursAgo(169), policy), { ok: false, reason: /169 hours old/ })
  }
)

t.test('if any age is allowed, no age causes a warning', async (t) => {
  t.strictSame(judgeSignatures(hoursAgo(9_000), { ...policy, maxAgeHours: 0 }), { ok: true })
})

t.test(
  'without official signatures verdicts are refused, unless the operator allows the baseline',
  async (t) => {
    t.match(judgeSignatures(null, policy), { ok: false, reason: /no official signatures/ })
    t.strictSame(judgeSignatures(null, { ...policy, allowBaseline: true }), { ok: true })
  }
)
