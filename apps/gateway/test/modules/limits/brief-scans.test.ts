import t from 'tap'
import { createBriefScans } from '../../../src/modules/limits/brief-scans.js'

t.test(
  'a token whose small file took long loses brief scans for a minute; other tokens keep them',
  async (t) => {
    let now = 0
    const { areAllowed, ended } = createBriefScans({ now: () => now })
    ended('a', 500)
    t.ok(areAllowed('a'), 'half a second is still brief')

    ended('a', 501)
    t.notOk(areAllowed('a'))
    t.ok(areAllowed('b'))
    now = 59_999
    t.notOk(areAllowed('a'))
    now = 60_000
    t.ok(areAllowed('a'))

    ended('a', undefined)
    t.notOk(areAllowed('a'), 'a scan that failed may have been long')
  }
)
