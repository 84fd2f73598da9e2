import t, { type Test } from 'tap'
import { startPglite } from '@filewright/embedded-postgres'
import { createId } from '@filewright/runtime'
import { createMigratedDatabase } from '@filewright/testing'
import pg from 'pg'
import { createDatabase, migrate, type Database, type TrashedFileRecord } from '../../src/index.js'
import { insertReady, insertScanning, winners } from '../helpers/database.js'

t.setTimeout(600_000)

interface Subject {
  db: Database
  query: (sql: string, values?: unknown[]) => Promise<unknown>
}

async function onPostgres(t: Test): Promise<Subject> {
  const server = await createMigratedDatabase(migrate)
  const db = createDatabase({ url: server.url, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  t.teardown(async () => {
    await db.close()
    await server.stop()
  })
  return { db, query: server.query }
}

async function onPglite(t: Test): Promise<Subject> {
  const server = await startPglite()
  await migrate({ url: server.url })
  const db = createDatabase({ url: server.url, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  t.teardown(async () => {
    await pool.end()
    await db.close()
    await server.stop()
  })
  return { db, query: async (sql, values) => await pool.query(sql, values) }
}

const verdict = { engine: 'ClamAV 1.5', at: new Date() }
const infected = { ...verdict, signature: 'Eicar' }

for (const [name, open] of Object.entries({ PostgreSQL: onPostgres, PGlite: onPglite })) {
  t.test(`the trash on ${name}`, async (t) => {
    const { db, query } = await open(t)
    const { files, trash, quotas } = db

    async function trashed(project = createId()): Promise<string> {
      const { id } = await insertReady(db, project)
      await files.markTrashed(id)
      return id
    }
    const age = async (id: string, days: number): Promise<void> => {
      await query("UPDATE files SET trashed_at = trashed_at - $2 * interval '1 day' WHERE id = $1", [
        id,
        days
      ])
    }
    const stateOf = async (id: string): Promise<string | undefined> => (await files.findStates([id])).get(id)

    await t.test('a trashed file is not ready, keeps its blob, and comes back as it was', async (t) => {
      const project = createId()
      const before = await insertReady(db, project, { folder: 'a/b', name: 'x.txt' })

      t.equal(await winners(async () => await files.markTrashed(before.id)), 1)

      t.equal(await files.findReady(before.id), null)
      t.strictSame(await files.list({ projectId: project, page: 1, limit: 10 }), { files: [], total: 0 })
      t.strictSame(await db.folders.list({ projectId: project, parent: '', after: '', limit: 10 }, 't'), [])
      t.match(await trash.find(before.id, 't'), { state: 'trashed', blobKey: before.blobKey })
      t.notOk((await files.findWithDoomedBlob(1_000)).some(({ id }) => id === before.id))
      const restored = await Promise.all(
        Array.from({ length: 20 }, async () => await trash.restore(before.id))
      )
      t.equal(restored.filter((file) => file !== null).length, 1, 'one restores it')
      t.strictSame(await files.findReady(before.id), before)
      t.equal((await files.list({ projectId: project, page: 1, limit: 10 })).total, 1)
      t.match(await db.folders.list({ projectId: project, parent: '', after: '', limit: 10 }, 't'), [
        { name: 'a', files: 1, bytes: 10 }
      ])
    })

    await t.test('files in the trash fill quotas until they leave it', async (t) => {
      const project = createId()
      const id = await trashed(project)
      const none = { maxFiles: null, maxBytes: null }
      const allowed = { project: { maxFiles: 1, maxBytes: null }, token: none }
      const next = await insertScanning(db, project)

      t.strictSame(await quotas.usedByProject(project, 't'), {
        files: 1,
        bytes: 10,
        trash: { files: 1, bytes: 10 }
      })
      t.match(await files.publish(next, verdict, { quotas: allowed }), {
        refusal: { of: 'project', unit: 'files' }
      })
      t.equal(await winners(async () => await trash.markDeleting(id)), 1)
      t.match((await files.publish(next, verdict, { quotas: allowed })).file, { id: next })
      t.equal(await files.remove(id), true)
      t.strictSame(await quotas.usedByProject(project, 't'), {
        files: 1,
        bytes: 10,
        trash: { files: 0, bytes: 0 }
      })
    })

    await t.test('only files that were in the trash for longer expire, oldest first', async (t) => {
      const [young, old, older, stored] = [
        await trashed(),
        await trashed(),
        await trashed(),
        (await insertReady(db, createId())).id
      ]
      await age(young, 6.99)
      await age(old, 7.01)
      await age(older, 9)

      t.equal(await trash.markExpiredDeleting({ days: 7, limit: 1 }), 1)
      t.strictSame([await stateOf(older), await stateOf(old)], ['deleting', 'trashed'])
      t.equal(await trash.markExpiredDeleting({ days: 7, limit: 100 }), 1)
      t.equal(await trash.markExpiredDeleting({ days: 7, limit: 100 }), 0)
      t.strictSame([await stateOf(young), await stateOf(stored)], ['trashed', 'ready'])
      t.equal(
        await trash.markExpiredDeleting({ days: 0, limit: 100 }),
        1,
        'a trash that is off empties itself'
      )
    })

    await t.test('exactly one of a concurrent restore and sweep wins', async (t) => {
      const ids = await Promise.all(Array.from({ length: 40 }, async () => await trashed()))
      for (const id of ids) await age(id, 8)

      const swept = Promise.all(
        Array.from({ length: 20 }, async () => await trash.markExpiredDeleting({ days: 7, limit: 2 }))
      )
      const restored = await Promise.all(ids.map(async (id) => await trash.restore(id)))
      const expired = (await swept).reduce((sum, count) => sum + count, 0)

      const states = await files.findStates(ids)
      ids.forEach((id, i) => t.equal(states.get(id), restored[i] === null ? 'deleting' : 'ready'))
      t.equal(restored.filter((file) => file === null).length, expired)
    })

    await t.test(
      'a file withdrawn in the trash cannot be restored, and is reported as withdrawn',
      async (t) => {
        const id = await trashed()

        t.equal(await files.markQuarantined(id, infected, 'stored'), true)

        t.equal(await trash.restore(id), null)
        t.match(await trash.find(id, 't'), { state: 'quarantined' })
        t.ok((await files.findWithDoomedBlob(1_000)).some((file) => file.id === id))
        const refused = await insertScanning(db, createId())
        await files.markQuarantined(refused, infected)
        t.equal(await trash.find(refused, 't'), null, 'a refused upload was never in the trash')
      }
    )

    await t.test('a rescan handles files in the trash last, and its verdict applies to them', async (t) => {
      await query('DELETE FROM files')
      const { id: ready } = await insertReady(db, createId())
      const id = await trashed()
      const claim = async () =>
        (
          await db.rescans.claimOldest({
            now: new Date(),
            until: new Date(Date.now() + 60_000),
            except: 'ClamAV 1.5'
          })
        )?.id

      t.strictSame([await claim(), await claim(), await claim()], [ready, id, undefined])
      t.equal(await db.rescans.countOutdated('ClamAV 1.5'), 2)
      t.equal(await db.rescans.recordClean(id, verdict), true)
      t.match(await files.findById(id), { state: 'trashed', engine: 'ClamAV 1.5', leaseExpiresAt: null })
    })

    await t.test('a failed upload is withdrawn even from the trash', async (t) => {
      const id = await trashed()

      t.equal(await files.withdraw(id), 'abandoned')
      t.equal(await trash.restore(id), null)
    })

    await t.test(
      'a list by key shows each file once, newest first, while others are added and deleted',
      async (t) => {
        const project = createId()
        const ids: string[] = []
        for (let i = 0; i < 9; i++) ids.push(await trashed(project))
        await query(
          "UPDATE files SET trashed_at = date_trunc('second', now()) WHERE project_id = $1 AND id < $2",
          [project, ids.toSorted()[5]]
        )
        const seen: TrashedFileRecord[] = []
        for (let page = 1; ; page++) {
          const last = seen.at(-1)
          const after = last === undefined ? {} : { after: { key: last.trashedAt, id: last.id } }
          const found = await trash.list({ projectId: project, page, limit: 2, ...after }, 't')
          if (found.files.length === 0) break
          if (page === 1) t.equal(found.total, 9)
          seen.push(...found.files)
          await trashed(project)
          await trash.restore(found.files[0]?.id ?? '')
        }

        t.strictSame(seen.map(({ id }) => id).toSorted(), ids.toSorted())
        const { files: second } = await trash.list({ projectId: project, page: 2, limit: 3 }, 't')
        t.equal(second.length, 3)
        t.strictSame(await trash.list({ projectId: createId(), page: 1, limit: 3 }, 't'), {
          files: [],
          total: 0
        })
      }
    )

    await t.test('emptying the trash affects only one project', async (t) => {
      const project = createId()
      const ids = [await trashed(project), await trashed(project), await trashed(project)]
      const other = await trashed()
      const { id: stored } = await insertReady(db, project)

      t.equal(await trash.markProjectDeleting({ projectId: project, limit: 2 }, 't'), 2)
      t.equal(await trash.markProjectDeleting({ projectId: project, limit: 2 }, 't'), 1)
      for (const id of ids) t.equal(await stateOf(id), 'deleting')
      t.strictSame([await stateOf(other), await stateOf(stored)], ['trashed', 'ready'])
    })

    await t.test('the maintained counts equal the number of rows', async (t) => {
      const counted = (await query(`
        SELECT (SELECT count(*) FROM files WHERE state = 'ready')::int AS ready,
          (SELECT count(*) FROM files WHERE state = 'trashed')::int AS trashed,
          (SELECT coalesce(sum(size_bytes), 0) FROM files WHERE state = 'trashed')::int AS bytes`)) as pg.QueryResult
      for (const table of ['project_file_counts', 'token_file_counts']) {
        const kept = (await query(
          `SELECT sum(ready)::int AS ready, sum(trashed)::int AS trashed, sum(trashed_bytes)::int AS bytes FROM ${table}`
        )) as pg.QueryResult
        t.strictSame(kept.rows, counted.rows, table)
      }
    })
  })
}
