import pg from 'pg'
import t from 'tap'
import { createTestDatabase } from '@filewright/testing'
import { migrate, migrationState, upgradeObstacles } from '../../src/index.js'

t.setTimeout(600_000)

const LAST = 'WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)'

t.test(
  'nothing is in the way of an empty, an older and an up-to-date database, and looking changes nothing',
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(database.stop)

    t.strictSame(await upgradeObstacles(database), [], 'empty')
    const { missing } = await migrationState(database)
    t.ok(missing.length > 10, 'still empty')
    await migrate(database)
    t.strictSame(await upgradeObstacles(database), [])
  }
)

t.test('everything that migrate would fail of is found', async (t) => {
  const database = await createTestDatabase()
  t.teardown(database.stop)
  await migrate(database)
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const found = async (options = {}): Promise<string> =>
    (await upgradeObstacles({ ...database, ...options })).map((obstacle) => obstacle.found).join('; ')

  await t.test('an open transaction, which the migration would wait for', async (t) => {
    const client = await pool.connect()
    await client.query('BEGIN; SELECT 1 FROM files')

    t.match(await found({ transactionSeconds: 0 }), /^old open transactions: processes \d+$/)
    t.equal(await found(), '', 'a young one may be a request')
    await client.query('ROLLBACK')
    client.release()
    t.equal(await found({ transactionSeconds: 0 }), '')
  })

  await t.test('tables of another role, and a role that may not make any', async (t) => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT 'stranger_' || md5(current_database()) AS name"
    )
    const name = rows[0]?.name ?? ''
    await pool.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'; GRANT SELECT ON _prisma_migrations TO ${name}`)
    const url = Object.assign(new URL(database.url), { username: name, password: 'x' }).href

    t.match(await found({ url }), /may not create tables; other roles own .*files/)
    await pool.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
  })

  await t.test('a read-only server', async (t) => {
    const { rows } = await pool.query<{ name: string }>('SELECT quote_ident(current_database()) AS name')
    await pool.query(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_read_only = on`)
    t.match(await found(), /read-only/)
    await pool.query('SET default_transaction_read_only = off')
    await pool.query(`ALTER DATABASE ${rows[0]?.name} RESET default_transaction_read_only`)
    t.equal(await found(), '')
  })

  await t.test('a database of a newer version, a failed and an edited migration', async (t) => {
    await pool.query(`UPDATE _prisma_migrations SET migration_name = '29990101000000_newer' ${LAST}`)
    t.match(await found(), /does not know: 29990101000000_newer/)
    await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL ${LAST}`)
    t.match(await found(), /failed migration: 29990101000000_newer/)
    await pool.query(`DELETE FROM _prisma_migrations ${LAST}`)
    t.equal(await found(), '', 'an older database can be upgraded')
    await pool.query(`UPDATE _prisma_migrations SET checksum = 'edited' ${LAST}`)
    t.match(await found(), /edited afterwards/)
  })
  await pool.end()
})
