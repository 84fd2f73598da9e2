import t from 'tap'
import { withOmitted } from '../src/harness/contest.js'

t.test('counts the requests that a long wait kept from being sent', async (t) => {
  t.strictSame(withOmitted([100, 1_000], 250), [100, 1_000, 750, 500, 250])
})

t.test('leaves answers alone that come as fast as they do with nobody else there', async (t) => {
  t.strictSame(withOmitted([100, 250, 40], 250), [100, 250, 40])
})
