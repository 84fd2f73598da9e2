import t from 'tap'
import { codeOf, judgeContainers, judgeFiles, type Judged } from '../src/judge.js'
import type { Expectation, Manifest } from '../src/manifest.js'
import { containersReport, extensionOf, refusalsOf, slowestOf, tableByKind, typesOf } from '../src/report.js'
import type { Outcome } from '../src/sample.js'

const manifest: Manifest = {
  tolerances: { image: { refused: 0.1, wrongType: 0.1 } },
  clamdPeakMb: 100,
  formats: [],
  outOfReach: [{ containers: ['known*'], reason: 'nobody reads it' }]
}
const ACCEPTED: Expectation = { kind: 'image', expect: 'accepted', types: ['image/*'] }
const REFUSED: Expectation = { kind: 'other', expect: 'refused', codes: ['unsupported-type'] }

function outcomeOf(part: Partial<Judged> = {}): Judged {
  return {
    kind: 'image',
    source: 'here',
    name: 'a.png',
    sizeBytes: 1,
    status: 201,
    ms: 5,
    type: 'image/png',
    expectation: ACCEPTED,
    ...part
  }
}
const refused = (reason = 'unscannable; broken'): Partial<Judged> => ({
  status: 400,
  reason,
  type: undefined as never
})
const times = (count: number, part: Partial<Judged> = {}): Judged[] =>
  Array.from({ length: count }, () => outcomeOf(part))

t.test('refusals within the tolerance are not a problem, but one more is', async (t) => {
  t.strictSame(judgeFiles([...times(9), outcomeOf(refused())], manifest), [])
  t.match(judgeFiles([...times(8), ...times(2, refused())], manifest), [
    /image: 2 of 10 honest files refused \(20\.00 %, at most 10\.00 %\)/
  ])
})

t.test('an unexpected type counts against its tolerance', async (t) => {
  t.match(judgeFiles([...times(3), outcomeOf({ type: 'text/plain' })], manifest), [
    /1 of 4 files with an unexpected type/
  ])
})

t.test(
  'a file that should be refused is a problem when it is accepted, or refused for another reason',
  async (t) => {
    const expected = outcomeOf({
      ...refused('unsupported-type; audio'),
      kind: 'other',
      expectation: REFUSED
    })
    const other = outcomeOf({ ...refused('malware; found'), kind: 'other', expectation: REFUSED })
    const accepted = outcomeOf({ kind: 'other', expectation: REFUSED })

    t.strictSame(judgeFiles([expected], manifest), [])
    t.match(judgeFiles([other], manifest), [/refused as "malware; found", expected unsupported-type/])
    t.match(judgeFiles([accepted], manifest), [/accepted as image\/png, expected refused/])
  }
)

t.test('errors of the service and changed bytes are always problems', async (t) => {
  const expectation: Expectation = { kind: 'other', expect: 'either' }
  const bad = [{ status: 503 }, { status: 0 }, { bytesEqual: false }].map((part) =>
    outcomeOf({ ...part, kind: 'other', expectation })
  )

  t.equal(judgeFiles(bad, manifest).length, 3)
})

t.test('a container must be refused unless the manifest names it', async (t) => {
  const container = (source: string, part: Partial<Outcome> = {}): Outcome =>
    outcomeOf({ kind: 'eicar', source, ...part } as Partial<Judged>)
  const outcomes = [
    container('zip', refused()),
    container('known one'),
    container('new'),
    container('known two', { status: 503 })
  ]

  const problems = judgeContainers(outcomes, manifest)

  t.match(problems, [/in "new" was ACCEPTED/, /in "known two": 503/])
  t.match(
    containersReport(outcomes, manifest),
    /4 containers with the test file: 1 refused, 1 accepted, 1 out of reach, 1 without an answer/
  )
})

t.test('the report has a row for each kind, refusals by reason, and types', async (t) => {
  const outcomes = [
    outcomeOf({ bytesEqual: true, ms: 1 }),
    outcomeOf({ ms: 3, type: 'text/plain' }),
    outcomeOf({ ms: 9, ...refused() })
  ]

  t.match(tableByKind(outcomes), /\| image \| 3 .* 2 .* 1 .* 1 \(33\.33 %\) .* 0 .* 3 .* 9 .* 9 .* 1 of 1/)
  t.match(refusalsOf(outcomes), /\| 1 .* image .* \.png .* 400 .* unscannable; broken .* a\.png \(here\)/)
  t.match(slowestOf(outcomes), /Slowest:\n {2}9 ms, 0 kB: a\.png \(here\)\n {2}3 ms/)
  t.match(
    typesOf(outcomes),
    /image: image\/png 1, text\/plain 1\nUnexpected types:\n {2}1 × \.png as text\/plain/
  )
})

t.test('the code of a rejection is the part before the semicolon', async (t) => {
  t.equal(codeOf('unscannable; the archive is encrypted'), 'unscannable')
})

t.test('the extension of a compressed tar has two parts', async (t) => {
  t.strictSame(['a.tar.GZ', 'b.c.js', 'Makefile'].map(extensionOf), ['.tar.gz', '.js', '(none)'])
})
