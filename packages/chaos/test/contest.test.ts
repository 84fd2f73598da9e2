import t from 'tap'
import { withOmitted } from '../src/harness/contest.js'

t.test('counts the requests that a long wait prevented', async (t) => {
  t.strictSame(withOmitted([100, 1_000], 250), [100, 1_000, 750, 500, 250])
})

t.test('ignores responses that are as fast as without other load', async (t) => {
  t.strictSame(withOmitted([100, 250, 40], 250), [100, 250, 40])
})
