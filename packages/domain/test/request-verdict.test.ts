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
  const requestVerdict = createRequestVerdict({
    queue: { request: (async () => answer()) as never },
    secret: {
      ensure: async () => {
        store.reads++
        return store.key
      }
    },
    logger: {
      warn: ((fields: object) => {
        warnings.push(fields)
      }) as never
    }
  })
  return { store, warnings, ask: async () => await requestVerdict(payload, { deadlineMs: 1_000 }) }
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
