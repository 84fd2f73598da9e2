import t from 'tap'
import { createId } from '@filewright/runtime'
import { createDatabase, migrate } from '../../src/index.js'
import { createMigratedDatabase } from '@filewright/testing'

const server = await createMigratedDatabase(migrate, { isShared: false })
t.teardown(server.stop)
const database = createDatabase({ url: server.url, poolSize: 5, statementTimeoutMs: 30_000 })
t.teardown(database.close)
const { downloads, files, events, tokens } = database

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute))
const START = { at: new Date(0), id: '' }

async function tokenOf(...projects: string[]): Promise<string> {
  const id = createId()
  await tokens.create({ id, name: 'test', hash: createId(), projects })
  return id
}

async function fileIn(projectId: string): Promise<string> {
  const id = createId()
  await files.insertPending({ id, blobKey: id, tokenId: null, leaseExpiresAt: at(99) })
  await files.markScanning(id, {
    projectId,
    name: 'a.txt',
    folder: 'x',
    description: null,
    sizeBytes: 5,
    sha256: 'ab'.repeat(32),
    type: 'text/plain',
    kind: 'code',
    charset: 'utf-8',
    leaseExpiresAt: at(99)
  })
  await files.publish(id, { engine: 'test/1', at: at(0) })
  return id
}

const fetched = async (fileId: string, ...tokenIds: string[]): Promise<void> =>
  await downloads.record(
    tokenIds.map((tokenId) => ({ fileId, tokenId, firstAt: at(1), lastAt: at(1), count: 1 }))
  )
const withdraw = async (id: string): Promise<boolean> =>
  await files.markQuarantined(id, { engine: 'test/2', signature: 'Eicar', at: at(5) }, 'stored')

async function eventsOf(fileId: string) {
  const all = await events.readAfter({ after: { txid: '0', id: '0' }, limit: 10_000 })
  return all
    .filter((event) => event.fileId === fileId && event.type === 'file.withdrawn')
    .map(({ projectId, data }) => ({ projectId, name: data.name, tokens: data.token_ids }))
}

async function recallsOf(tokenId: string, projectIds?: string[]) {
  const found = await downloads.listRecalls(
    { ...(projectIds === undefined ? {} : { projectIds, seen: projectIds }), after: START, limit: 1_000 },
    tokenId
  )
  return found.map(({ id }) => id)
}

t.test('downloads of one token and file add up, whichever gateway writes first', async (t) => {
  const [project, reader] = [createId(), await tokenOf('*')]
  const id = await fileIn(project)

  await downloads.record([{ fileId: id, tokenId: reader, firstAt: at(4), lastAt: at(6), count: 2 }])
  await downloads.record([{ fileId: id, tokenId: reader, firstAt: at(2), lastAt: at(5), count: 3 }])
  await withdraw(id)

  const [recall] = await downloads.listRecalls({ projectIds: [project], after: START, limit: 10 }, reader)
  t.match(recall, { id, downloadedAt: at(6), downloaders: 1, signature: 'Eicar', name: 'a.txt' })
})

t.test('events of a file that thousands of tokens downloaded fit into a delivery', async (t) => {
  const [home, away] = [createId(), createId()]
  const strangers = (): string[] => Array.from({ length: 1_500 }, () => createId())
  const readers = strangers()
  await server.query(
    `INSERT INTO tokens (id, name, hash, projects) SELECT id, 'test', id, ARRAY[$2, $3] FROM unnest($1::text[]) id`,
    [readers, home, away]
  )
  const id = await fileIn(home)
  await fetched(id, ...readers, ...strangers())
  await withdraw(id)
  await fetched(id, ...strangers())
  await downloads.recallLate()

  const found = await eventsOf(id)
  t.strictSame(found.map(({ projectId }) => projectId).toSorted(), [home, home, away].toSorted())
  for (const { tokens: named } of found) t.equal((named as string[]).length, 1_000)
})

t.test(
  'a withdrawal names the tokens that had downloaded the file, and their other projects get the event',
  async (t) => {
    const [home, away, elsewhere] = [createId(), createId(), createId()]
    const [both, one, all] = [await tokenOf(home, away), await tokenOf(home), await tokenOf('*')]
    const unrelated = await tokenOf(elsewhere)
    const id = await fileIn(home)
    await fetched(id, both, one, all)

    t.equal(await withdraw(id), true)

    const found = await eventsOf(id)
    t.strictSame(
      found.toSorted((a, b) => Number(b.projectId === home) - Number(a.projectId === home)),
      [
        { projectId: home, name: 'a.txt', tokens: [both, one, all].toSorted() },
        { projectId: away, name: null, tokens: [both] }
      ]
    )
    t.ok((await recallsOf(one, [home])).includes(id), 'its own project')
    t.ok((await recallsOf(await tokenOf(away), [away])).includes(id), 'a project whose token had it')
    t.notOk((await recallsOf(unrelated, [elsewhere])).includes(id), 'no other project')
    t.ok((await recallsOf(both, [elsewhere])).includes(id), 'the token itself, whatever it may see now')
    const ofElsewhere = { projectIds: [elsewhere], after: START, limit: 1_000 }
    t.strictSame(
      await downloads.listRecalls(ofElsewhere, all),
      [],
      'not for a project that had nothing of it'
    )
  }
)

t.test('a withdrawal that is rolled back or lost creates no recall', async (t) => {
  const [home, reader] = [createId(), await tokenOf('*')]
  const id = await fileIn(home)
  await fetched(id, reader)
  await files.markDeleting(id)

  t.equal(await withdraw(id), false)
  t.strictSame(await eventsOf(id), [])
  t.strictSame(await recallsOf(reader, [home]), [])
  t.equal(await downloads.recallLate(), 0)
})

t.test('a download that is written after the withdrawal gets its event once', async (t) => {
  const [home, away] = [createId(), createId()]
  const [early, late] = [await tokenOf(home), await tokenOf(home, away)]
  const id = await fileIn(home)
  await fetched(id, early)
  await withdraw(id)
  await fetched(id, early, late)

  const counts = await Promise.all([downloads.recallLate(), downloads.recallLate()])

  t.equal(
    counts.reduce((sum, count) => sum + count),
    1
  )
  t.strictSame(
    (await eventsOf(id)).map(({ tokens }) => tokens).toSorted(),
    [[early], [late], [late]].toSorted()
  )
  t.equal(await downloads.recallLate(), 0)
})

t.test('a download and the withdrawal at the same moment: the token is always named', async (t) => {
  for (let run = 0; run < 40; run++) {
    const [home, reader] = [createId(), await tokenOf('*')]
    const id = await fileIn(home)

    await Promise.all([fetched(id, reader), withdraw(id)])
    await downloads.recallLate()

    const named = (await eventsOf(id)).flatMap(({ tokens }) => tokens)
    t.strictSame(named, [reader], `run ${run}`)
  }
})

t.test('recalls are paged by key, and files that were refused or deleted are not among them', async (t) => {
  const [home, reader] = [createId(), await tokenOf('*')]
  const ids = [await fileIn(home), await fileIn(home), await fileIn(home)]
  for (const id of ids) await withdraw(id)
  const trashed = await fileIn(home)
  await files.markTrashed(trashed)
  const options = { projectIds: [home], limit: 2 }

  const first = await downloads.listRecalls({ ...options, after: START }, reader)
  const last = first.at(-1)!
  const rest = await downloads.listRecalls(
    { ...options, after: { at: last.withdrawnAt, id: last.id } },
    reader
  )

  t.strictSame(
    [...first, ...rest].map(({ id }) => id),
    ids
  )
  t.strictSame(await files.findWithdrawn(ids[0]!), { projectId: home })
  await withdraw(trashed)
  t.equal(await files.findWithdrawn(trashed), null, 'its owner had deleted it')
  t.ok((await recallsOf(reader, [home])).includes(trashed), 'but who had it is told')
})

t.test('old entries are deleted, oldest first', async (t) => {
  const reader = await tokenOf('*')
  const ids = [createId(), createId()]
  for (const [i, fileId] of ids.entries()) {
    const when = new Date(Date.UTC(1999, 0, 1 + i))
    await downloads.record([{ fileId, tokenId: reader, firstAt: when, lastAt: when, count: 1 }])
  }

  t.equal(await downloads.removeOld({ lastBefore: new Date(Date.UTC(1999, 0, 2)), limit: 10 }), 1)
  t.equal(await downloads.removeOld({ lastBefore: new Date(Date.UTC(2000, 0, 1)), limit: 10 }), 1)
})
