import pg from 'pg'
import t, { type Test } from 'tap'
import { createId } from '@filewright/runtime'
import { poll, type TestDatabase as Server } from '@filewright/testing'
import { createDatabase } from '../../src/index.js'
import { insertPending, insertReady, insertScanning, openDatabase, uploadOf } from '../helpers/database.js'

t.setTimeout(600_000)

const A = 'store-a'
const B = 'store-b'
const M = 'move-1'

async function openMove(t: Test) {
  const opened = await openDatabase(t)
  const { installation, moves } = opened.db
  await installation.claim('installation', null)
  await installation.bindStore(A)
  t.equal(await moves.begin({ moveId: M, storeId: A, mirrorId: B }), true)
  return opened
}

const placed = (storeId: string, moveId: string | null = null) => {
  const id = createId()
  return { id, blobKey: id, tokenId: null, leaseExpiresAt: new Date(Date.now() + 60_000), storeId, moveId }
}

/** A transaction of another process, open until the test ends it. */
async function hold(t: Test, server: Server, statements: string[]) {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  t.teardown(async () => await client.end())
  await client.query('BEGIN')
  for (const statement of statements) await client.query(statement)
  return { commit: async () => await client.query('COMMIT') }
}

async function countWaiting(server: Server): Promise<number> {
  const { rows } = await server.query(
    'SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted AND datname = current_database()'
  )
  return rows.length
}

t.test('one move at a time, from the current store to another one', async (t) => {
  const { db } = await openMove(t)

  t.equal(await db.moves.begin({ moveId: 'other', storeId: A, mirrorId: 'store-c' }), false)
  t.match(await db.installation.find(), { storeId: A, mirrorId: B, moveId: M })
  t.equal(await db.moves.end('other'), false)
  t.equal(await db.moves.end(M), true)
  t.match(await db.installation.find(), { storeId: A, mirrorId: null, moveId: null })
  t.equal(await db.moves.begin({ moveId: 'other', storeId: B, mirrorId: A }), false, 'not the current store')
  t.equal(await db.moves.begin({ moveId: 'other', storeId: A, mirrorId: A }), false, 'the same store')
})

for (const state of ['pending', 'scanning', 'ready', 'trashed'] as const) {
  t.test(`a file that is ${state} in the current store alone prevents the switch`, async (t) => {
    const { db } = await openMove(t)
    const id =
      state === 'pending'
        ? await insertPending(db)
        : state === 'scanning'
          ? await insertScanning(db, 'acme')
          : (await insertReady(db, 'acme')).id
    if (state === 'trashed') await db.files.markTrashed(id)

    t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'incomplete')

    t.match(await db.installation.find(), { storeId: A, mirrorId: B })
    await db.files.withdraw(id)
    t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'done', 'it is not an upload any more')
  })
}

t.test('copied files and uploads to both stores allow the switch, and the switch back', async (t) => {
  const { db } = await openMove(t)
  const { id } = await insertReady(db, 'acme')
  t.match(await db.moves.pageUncopied({ moveId: M, after: '', limit: 10 }), [{ id, sizeBytes: 10 }])
  t.equal(await db.moves.markCopied(id, M), true)
  t.equal(await db.files.insertPending(placed(A, M)), true)

  t.strictSame(await db.moves.pageUncopied({ moveId: M, after: '', limit: 10 }), [])
  t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'done')
  t.match(await db.installation.find(), { storeId: B, mirrorId: A, moveId: M })
  t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'incomplete', 'somebody else has switched')
  t.equal(await db.moves.switch({ storeId: B, moveId: M }), 'done')
  t.match(await db.installation.find(), { storeId: A, mirrorId: B, moveId: M })
  t.strictSame(await db.moves.count(M), { files: 1, bytes: 10, copiedFiles: 1, copiedBytes: 10, uploads: 0 })
})

t.test('a deleted file is not marked as copied', async (t) => {
  const { db } = await openMove(t)
  const { id } = await insertReady(db, 'acme')
  await db.files.markDeleting(id)

  t.equal(await db.moves.markCopied(id, M), false)
  await db.files.remove(id)
  t.equal(await db.moves.markCopied(id, M), false)
})

t.test('an upload to a store that is not the current one begins nowhere', async (t) => {
  const { db } = await openMove(t)
  await db.moves.switch({ storeId: A, moveId: M })
  const [stale, current] = [placed(A, M), placed(B)]

  t.strictSame(await Promise.all([db.files.insertPending(stale), db.files.insertPending(current)]), [
    false,
    true
  ])

  t.strictSame([...(await db.files.findStates([stale.id, current.id])).keys()], [current.id])
})

t.test('an upload that lost the second store says so before the switch, or fails after it', async (t) => {
  const { db } = await openMove(t)
  const [before, after] = [placed(A, M), placed(A, M)]
  await db.files.insertPending(before)
  await db.files.insertPending(after)

  t.equal(await db.moves.unmark(before.id, A), true)
  t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'incomplete')
  await db.files.withdraw(before.id)
  t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'done')
  t.equal(await db.moves.unmark(after.id, A), false)
})

for (const prepared of [false, true]) {
  t.test(`an insert or unmark that waits for a switch sees it${prepared ? ', prepared' : ''}`, async (t) => {
    const { server } = await openMove(t)
    const db = createDatabase({
      url: server.url,
      prepared,
      connectTimeoutMs: 30_000,
      statementTimeoutMs: 30_000
    })
    t.teardown(db.close)
    const marked = placed(A, M)
    await db.files.insertPending(marked)
    // What `switch_store` does, held open between its last statement and its commit.
    const held = await hold(t, server, [
      'LOCK TABLE files IN SHARE MODE',
      `UPDATE installation SET store_id = '${B}', mirror_id = '${A}'`
    ])
    const late = placed(A, M)

    const inserted = db.files.insertPending(late)
    const unmarked = db.moves.unmark(marked.id, A)
    await poll(async () => (await countWaiting(server)) === 2)
    await held.commit()

    t.equal(await inserted, false)
    t.equal(await unmarked, false)
  })
}

t.test(
  'a switch waits for a statement that changes files, and gives up before the deadlock check',
  async (t) => {
    const { db, server } = await openMove(t)
    const pending = placed(A)
    const held = await hold(t, server, [
      `INSERT INTO files (id, blob_key, state) VALUES ('${pending.id}', 'x', 'pending')`
    ])

    t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'busy')
    await held.commit()
    t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'incomplete', 'it sees what it waited for')
    await db.files.withdraw(pending.id)
    await db.files.insertPending(placed(A, M))
    t.equal(await db.files.markScanning(pending.id, uploadOf('acme')), false)
    t.equal(await db.moves.switch({ storeId: A, moveId: M }), 'done')
  }
)
