import t from 'tap'
import { createBriefScans } from '../../../src/modules/limits/brief-scans.js'

t.test('only small texts and source files are brief', async (t) => {
  const { isBrief } = createBriefScans()
  t.ok(isBrief('a', { kind: 'code', sizeBytes: 0 }))
  t.ok(isBrief('a', { kind: 'code', sizeBytes: 65_536 }))
  t.notOk(isBrief('a', { kind: 'code', sizeBytes: 65_537 }))
  for (const kind of ['image', 'document', 'archive'] as const) t.notOk(isBrief('a', { kind, sizeBytes: 306 }), kind)
})

t.test('a token whose small file took long is not believed for a minute, others are', async (t) => {
  let now = 0
  const { isBrief, ended } = createBriefScans({ now: () => now })
  const file = { kind: 'code', sizeBytes: 300 } as const
  ended('a', 500)
  t.ok(isBrief('a', file), 'half a second is still brief')

  ended('a', 501)
  t.notOk(isBrief('a', file))
  t.ok(isBrief('b', file))
  now = 59_999
  t.notOk(isBrief('a', file))
  now = 60_000
  t.ok(isBrief('a', file))

  ended('a', undefined)
  t.notOk(isBrief('a', file), 'a scan that failed may have been long')
})
