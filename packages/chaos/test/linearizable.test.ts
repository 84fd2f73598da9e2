import t from 'tap'
import { whyNotLinearizable } from '../src/harness/linearizable.js'

const deletion = { startMs: 10, endMs: 20 }

t.test('a read during a delete may have either result', async (t) => {
  t.equal(
    whyNotLinearizable(deletion, [
      { there: true, startMs: 12, endMs: 25 },
      { there: false, startMs: 5, endMs: 15 }
    ]),
    undefined
  )
})

t.test(
  'a file seen after its delete, or after a read missed it, is a violation; so is one missed before',
  async (t) => {
    t.type(whyNotLinearizable(deletion, [{ there: true, startMs: 21, endMs: 22 }]), 'string')
    t.type(
      whyNotLinearizable(deletion, [
        { there: false, startMs: 11, endMs: 12 },
        { there: true, startMs: 13, endMs: 14 }
      ]),
      'string'
    )
    t.type(whyNotLinearizable(deletion, [{ there: false, startMs: 1, endMs: 2 }]), 'string')
  }
)
