import t from 'tap'
import { createMigratedDatabase, startChaosProxy } from '@filewright/testing'
import { openPool } from '../src/connection.js'
import { createDatabase, migrate, type DatabaseOptions } from '../src/index.js'
import type { TestScope } from './helpers/database.js'

t.setTimeout(600_000)

const server = await createMigratedDatabase(migrate)
t.teardown(server.stop)

const unavailable = { name: 'AppError', code: 'DATABASE_UNAVAILABLE', retryable: true }

async function openThroughProxy(t: TestScope, options: Partial<DatabaseOptions> = {}) {
  const proxy = await startChaosProxy({ target: { host: '127.0.0.1', port: server.port } })
  const db = createDatabase({
    url: server.url.replace(`:${server.port}/`, `:${proxy.port}/`),
    poolSize: 3,
    ...options
  })
  t.teardown(async () => {
    await db.close()
    await proxy.close()
  })
  return { proxy, db }
}

/** The first call on a busy machine may find one more dead connection; none may hang. */
async function heals(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (
      await attempt().then(
        () => true,
        () => false
      )
    ) {
      return true
    }
  }
  return false
}

t.test(
  'a database that goes down is a typed error on every kind of call, and calls work again when it is back',
  async (t) => {
    const { proxy, db } = await openThroughProxy(t)
    await db.ping()

    proxy.refuse(true)
    proxy.reset()
    await t.rejects(db.ping(), unavailable)
    await t.rejects(db.files.findReady('x'), unavailable)
    await t.rejects(db.files.list({ projectId: 'p', page: 1, limit: 1 }), unavailable)
    await t.rejects(db.files.markDeleting('x'), unavailable)
    await t.rejects(db.tokens.findByHash('x'), unavailable)

    proxy.refuse(false)
    t.equal(await heals(async () => await db.ping()), true)
    t.equal(await db.files.findReady('x'), null)
  }
)

t.test('idle connections that the server drops do not crash the process', async (t) => {
  const { proxy, db } = await openThroughProxy(t)
  await Promise.all([db.ping(), db.ping(), db.ping()])

  const hit = proxy.reset()

  t.ok(hit > 0)
  t.equal(await heals(async () => await db.ping()), true)
})

t.test('a frozen database ends every call within its deadline, and recovers when it resumes', async (t) => {
  const { proxy, db } = await openThroughProxy(t, {
    poolSize: 2,
    connectTimeoutMs: 300,
    statementTimeoutMs: 500
  })
  t.equal(await heals(async () => await db.ping()), true)

  proxy.freeze()
  const startedAt = Date.now()
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, async () => await db.files.findReady('x'))
  )

  t.ok(Date.now() - startedAt < 10_000)
  for (const result of results) t.match(result, { status: 'rejected', reason: unavailable })

  proxy.thaw()
  t.equal(await heals(async () => await db.ping()), true)
})

t.test('closing a frozen database returns, ends running calls, and refuses later ones', async (t) => {
  const { proxy, db } = await openThroughProxy(t, { statementTimeoutMs: 500 })
  await db.ping()
  proxy.freeze()
  const underWay = db.ping().catch((error: unknown) => error)

  await db.close()
  await db.close()

  t.match(await underWay, unavailable)
  await t.rejects(db.ping(), unavailable)
  proxy.thaw()
})

t.test('a database that was never migrated is unavailable rather than a bug', async (t) => {
  await server.query('CREATE SCHEMA aside; ALTER TABLE tokens SET SCHEMA aside')
  t.teardown(async () => {
    await server.query('ALTER TABLE aside.tokens SET SCHEMA public')
  })
  const { db } = await openThroughProxy(t, { connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })

  await t.rejects(db.tokens.findByHash('x'), unavailable)
})

t.test('an invalid URL, or one of another database, is refused without being printed', async (t) => {
  for (const url of ['secret', 'mysql://secret@localhost/db']) {
    t.throws(() => createDatabase({ url }), { code: 'CONFIG_INVALID', message: /^(?!.*secret)/ })
  }
})

t.test(
  'options in the URL are kept beside our own; planner options come only with prepared statements, because poolers refuse them',
  async (t) => {
    const settingsOf = async (prepared: boolean): Promise<unknown> => {
      const { pool, close } = openPool({
        url: `${server.url}?options=-c%20search_path%3Dpg_catalog`,
        poolSize: 1,
        connectTimeoutMs: 30_000,
        statementTimeoutMs: 30_000,
        prepared
      })
      t.teardown(close)
      const { rows } = await pool.query(
        "SELECT setting FROM unnest(ARRAY['search_path', 'TimeZone', 'enable_seqscan', 'jit']) name, current_setting(name) setting"
      )
      return rows.map(({ setting }: { setting: string }) => setting)
    }

    t.strictSame(await settingsOf(true), ['pg_catalog', 'UTC', 'off', 'off'])
    t.match(await settingsOf(false), ['pg_catalog', 'UTC', 'on', 'on'])
  }
)

t.test('prepared statements return the same on every connection', async (t) => {
  const db = createDatabase({ url: server.url, poolSize: 3, connectTimeoutMs: 30_000, prepared: true })
  t.teardown(async () => await db.close())

  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(
      Array.from({ length: 6 }, async () => await db.tokens.findByHash('absent'))
    )
    t.strictSame(
      found,
      Array.from({ length: 6 }, () => null)
    )
  }
})
