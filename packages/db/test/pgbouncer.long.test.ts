import { spawnSync } from 'node:child_process'
import pg from 'pg'
import t from 'tap'
import { createTestDatabase, startPgBouncer } from '@filewright/testing'
import { createDatabase, migrate } from '../src/index.js'
import { insertReady } from './helpers/database.js'

t.setTimeout(300_000)
const missing = spawnSync('pgbouncer', ['--version']).error !== undefined && 'PgBouncer is not installed'

t.test('behind a PgBouncer in transaction mode', { skip: missing }, async (t) => {
  const server = await createTestDatabase()
  const bouncer = await startPgBouncer({ target: server.url })
  t.teardown(async () => {
    await bouncer.stop()
    await server.stop()
  })
  const open = (): ReturnType<typeof createDatabase> =>
    createDatabase({ url: bouncer.url, poolSize: 20, connectTimeoutMs: 30_000, prepared: false })

  await t.test('the tables are created, and a second run changes nothing', async (t) => {
    t.not((await migrate({ url: bouncer.url })).applied.length, 0)
    t.strictSame(await migrate({ url: bouncer.url }), { applied: [] })
  })

  await t.test('many concurrent calls on few connections each get their own result', async (t) => {
    const db = open()
    t.teardown(db.close)

    const projects = Array.from({ length: 200 }, (_, number) => `project-${number}`)
    const found = await Promise.all(
      projects.map(async (projectId) => {
        const file = await insertReady(db, projectId)
        return (await db.files.findReady(file.id))?.projectId
      })
    )

    t.strictSame(found, projects)
  })

  await t.test('sessions in a time zone other than UTC are refused with a message', async (t) => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const set = async (zone: string): Promise<void> => {
      await client.query(`ALTER DATABASE "${new URL(server.url).pathname.slice(1)}" SET timezone = '${zone}'`)
    }
    t.teardown(async () => await client.end())
    await set('Europe/Berlin')
    const other = await startPgBouncer({ target: server.url })
    const db = createDatabase({ url: other.url, poolSize: 2, prepared: false })
    t.teardown(async () => {
      await db.close()
      await other.stop()
    })

    await t.rejects(db.files.findReady('nobody'), {
      code: 'DATABASE_UNAVAILABLE',
      message: /time zone Europe\/Berlin, not in UTC/
    })
  })
})
