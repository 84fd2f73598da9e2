import { randomBytes } from 'node:crypto'
import t from 'tap'
import { sealVerdict, type ScanFilePayload, type ScanFileResult } from '@filewright/queue'
import { createRequestVerdict } from '../src/request-verdict.js'

const payload: ScanFilePayload = {
  v: 1,
  fileId: 'f1',
  blobKey: 'k',
  sizeBytes: 5,
  sha256: 'a'.repeat(64),
  requestId: 'r'
}
const { fileId, sizeBytes, sha256 } = payload
const result: ScanFileResult = { verdict: 'clean', engine: 'test/1', fileId, sizeBytes, sha256 }
const infected: ScanFileResult = { ...result, verdict: 'infected' }

/** A gateway whose worker answers with `answer()`, and whose store has the secret `store.key`. */
function build(answer: () => ScanFileResult) {
  const store = { key: randomBytes(32), reads: 0 }
  const warnings: object[] = []
  const dates: Array<[string, string]> = []
  const requestVerdict = createRequestVerdict({
    queue: { request: (async () => answer()) as never },
    secret: {
      ensure: async () => {
        store.reads++
        return store.key
      }
    },
    receipts: {
      noteSignatureDate: async (engine, at) => {
        if (engine === 'down/1') throw new Error('database is down')
        dates.push([engine, at.toISOString()])
      }
    },
    logger: {
      warn: ((fields: object) => {
        warnings.push(fields)
      }) as never
    }
  })
  return { store, warnings, dates, ask: async () => await requestVerdict(payload, { deadlineMs: 1_000 }) }
}

t.test('a signed verdict is accepted, and the secret is read once', async (t) => {
  const { store, ask, warnings } = build(() => sealVerdict(store.key, payload, result))

  t.match(await ask(), result)
  t.match(await ask(), result)

  t.equal(store.reads, 1)
  t.strictSame(warnings, [])
})

t.test("a verdict signed with the store's new secret is accepted", async (t) => {
  const { store, ask } = build(() => sealVerdict(store.key, payload, result))
  await ask()
  store.key = randomBytes(32)

  t.match(await ask(), result)
  t.match(await ask(), result)

  t.equal(store.reads, 2)
})

t.test('a verdict with a wrong signature, or for another file, is refused with a warning', async (t) => {
  const answers: Array<[RegExp, (key: Buffer) => ScanFileResult]> = [
    [/no seal/, () => result],
    [/wrong seal/, () => ({ ...result, seal: 'a'.repeat(64) })],
    [/wrong seal/, () => sealVerdict(randomBytes(32), payload, result)],
    [/wrong seal/, (key) => ({ ...sealVerdict(key, payload, infected), verdict: 'clean' })],
    [/another file/, (key) => sealVerdict(key, payload, { ...result, fileId: 'f2' })]
  ]
  for (const [problem, answer] of answers) {
    const { store, ask, warnings } = build(() => answer(store.key))

    await t.rejects(ask(), { code: 'SCAN_UNAVAILABLE', message: problem })

    t.match(warnings, [{ fileId, problem }])
  }
})

t.test('the date of the signatures is recorded once per engine, and never fails a verdict', async (t) => {
  let answer: ScanFileResult = { ...result, signaturesAt: '2026-11-12T06:00:00.000Z' }
  const { store, dates, warnings, ask } = build(() => sealVerdict(store.key, payload, answer))

  await ask()
  await ask()
  answer = { ...answer, engine: 'test/2', signaturesAt: 'yesterday' }
  await ask()
  t.strictSame(dates, [['test/1', '2026-11-12T06:00:00.000Z']])
  answer = { ...answer, engine: 'down/1', signaturesAt: '2026-11-13T06:00:00.000Z' }
  t.match(await ask(), { verdict: 'clean' })
  t.equal(warnings.length, 1)
})
