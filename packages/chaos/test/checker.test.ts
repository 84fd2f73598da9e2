import t from 'tap'
import { checkHistory } from '../src/harness/checker.js'
import type { Operation } from '../src/harness/history.js'
import type { Subject } from '../src/harness/subject.js'

const at = { startMs: 0, endMs: 1, project: 'a' }
const stored: Operation = { ...at, op: 'upload', name: 'a.txt', id: '1', sha256: 'aa', status: 201 }
const refused: Operation = { ...at, op: 'upload', name: 'b.txt', sha256: 'bb', status: 503 }
const deleted: Operation = { ...at, op: 'delete', id: '1', status: 200 }

/** A service with scripted responses. */
function subjectOf({
  names,
  sha256,
  status = 404
}: {
  names: string[]
  sha256?: string
  status?: number
}): Subject {
  const answer = { status, body: {}, headers: new Headers(), ms: 1 }
  return {
    list: async () => ({ ...answer, status: 200, names }),
    download: async () => ({ ...answer, status: sha256 === undefined ? status : 200, sha256 }),
    info: async () => answer
  } as unknown as Subject
}

t.test('finds no problem in a correct history', async (t) => {
  t.strictSame(await checkHistory([stored, refused], subjectOf({ names: ['a.txt'], sha256: 'aa' })), [])
  t.strictSame(await checkHistory([stored, deleted], subjectOf({ names: [] })), [])
})

t.test('finds lost, changed, restored, wrongly published and unscanned files', async (t) => {
  const found = async (operations: Operation[], subject: Subject): Promise<number> =>
    (await checkHistory(operations, subject)).length

  t.equal(await found([stored], subjectOf({ names: [] })), 2, 'lost')
  t.equal(await found([stored], subjectOf({ names: ['a.txt'], sha256: 'other' })), 1, 'changed')
  t.equal(
    await found([stored, deleted], subjectOf({ names: ['a.txt'], sha256: 'aa', status: 200 })),
    4,
    'brought back'
  )
  t.equal(await found([refused], subjectOf({ names: ['b.txt'] })), 1, 'published unasked')
  t.equal(
    await found([{ ...stored, flagged: true }], subjectOf({ names: ['a.txt'], sha256: 'aa' })),
    1,
    'let through'
  )
})
