import t from 'tap'
import { daysOf } from '../../src/history/days.js'

t.test('every day of the period is listed, with the sum of all models', async (t) => {
  const days = daysOf(
    {
      days: 3,
      usage: [
        { day: '2026-02-27', model: 'old', engine: null, requests: 9, tokens: 9 },
        { day: '2026-02-28', model: 'a', engine: null, requests: 1, tokens: 10 },
        { day: '2026-02-28', model: null, engine: 'static', requests: 2, tokens: 0 },
        { day: '2026-03-02', model: 'a', engine: null, requests: 3, tokens: 30 }
      ]
    },
    new Date('2026-03-02T23:59:59Z')
  )

  t.strictSame(days, [
    { day: '2026-02-28', requests: 3, tokens: 10 },
    { day: '2026-03-01', requests: 0, tokens: 0 },
    { day: '2026-03-02', requests: 3, tokens: 30 }
  ])
})
