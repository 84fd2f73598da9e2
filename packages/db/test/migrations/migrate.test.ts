import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import type { MigrationList } from '@prisma/schema-engine-wasm'
import { createDatabase, migrate, migrationState } from '../../src/index.js'
import { diffMigrations } from '../../src/migrations/diff.js'
import { columnList } from '../../src/repositories/files.columns.js'
import { MIGRATION_LEVEL } from '../../src/migrations/level.js'
import { readMigrations, readSchema } from '../../src/migrations/migration-files.js'
import type { TestScope } from '../helpers/database.js'
import { createTestDatabase, type TestDatabase } from '@filewright/testing'

t.setTimeout(600_000)

const shipped = await readMigrations()
const names = shipped.migrationDirectories.map(({ path }) => path)

async function start(t: TestScope): Promise<TestDatabase> {
  const server = await createTestDatabase()
  t.teardown(server.stop)
  return server
}

function plus(sql: string, name = '99990101000000_next'): MigrationList {
  const next = {
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } }
  }
  return { ...shipped, migrationDirectories: [...shipped.migrationDirectories, next] }
}

t.test('the migrations lead exactly to the schema, and a changed schema is noticed', async (t) => {
  const server = await start(t)
  const schema = await readSchema()

  t.equal(await diffMigrations({ url: server.url }), '')
  t.match(
    await diffMigrations({
      url: server.url,
      schema: schema.replace('engine         String?', 'engine         String?\n  extra String?')
    }),
    'ADD COLUMN     "extra" TEXT'
  )
  t.match(
    await diffMigrations({
      url: server.url,
      schema: schema.replaceAll("state = 'ready'", "state = 'other'")
    }),
    "(state = 'other')",
    'conditions of partial indexes count'
  )
})

t.test(
  'three processes that migrate concurrently apply each migration once, and a later run applies none',
  async (t) => {
    const { url, query } = await start(t)

    t.strictSame(await migrationState({ url }), { missing: names, unknown: [] })

    const results = await Promise.all([migrate({ url }), migrate({ url }), migrate({ url })])

    t.strictSame(
      results.flatMap(({ applied }) => applied),
      names
    )
    t.strictSame(await migrate({ url }), { applied: [] })
    t.strictSame(await migrationState({ url }), { missing: [], unknown: [] })
    const { rows } = await query(
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL'
    )
    t.strictSame(
      rows,
      names.map((name) => ({ migration_name: name }))
    )
  }
)

t.test('the level is the newest migration, and a database below it is refused', async (t) => {
  const { url } = await start(t)
  const database = createDatabase({ url })
  t.teardown(database.close)

  t.equal(MIGRATION_LEVEL, names.at(-1))
  await t.rejects(database.requireLevel(), { code: 'DATABASE_UNAVAILABLE' }, 'an empty database')
  await migrate({
    url,
    migrations: { ...shipped, migrationDirectories: shipped.migrationDirectories.slice(0, -1) }
  })
  await t.rejects(
    database.requireLevel(),
    { code: 'DATABASE_UNAVAILABLE', message: new RegExp(MIGRATION_LEVEL) },
    'one migration short'
  )
  await migrate({ url })
  await t.resolves(database.requireLevel())
})

t.test('with migrations applied', async (t) => {
  const { url, query } = await start(t)
  await migrate({ url })
  const next = plus("CREATE TABLE notes (text text DEFAULT 'a;b'); INSERT INTO notes VALUES (DEFAULT);")

  await t.test('one that fails halfway says why and leaves no trace', async (t) => {
    await t.rejects(migrate({ url, migrations: plus('CREATE TABLE half (id int); SELECT 1/0;') }), {
      code: 'MIGRATION_FAILED',
      message: /division by zero/
    })

    const { rows } = await query(
      "SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM _prisma_migrations) AS known"
    )
    t.strictSame(rows, [{ half: null, known: names.length }])
    t.strictSame(await migrate({ url }), { applied: [] })
  })

  await t.test('a semicolon inside a literal does not split the script', async (t) => {
    t.strictSame(await migrate({ url, migrations: next }), { applied: ['99990101000000_next'] })
    t.strictSame((await query('SELECT text FROM notes')).rows, [{ text: 'a;b' }])
  })

  await t.test('a database that is newer than this version is refused', async (t) => {
    await t.rejects(migrate({ url }), {
      code: 'MIGRATION_FAILED',
      message: /does not know: 99990101000000_next/
    })
    t.strictSame(await migrationState({ url }), { missing: [], unknown: ['99990101000000_next'] })
  })

  await t.test('a migration edited after it was applied is refused', async (t) => {
    await t.rejects(migrate({ url, migrations: plus('SELECT 2;') }), {
      code: 'MIGRATION_FAILED',
      message: /edited afterwards: 99990101000000_next/
    })
  })

  await t.test('a migration that was rolled back manually is applied again', async (t) => {
    await query(
      "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '99990101000000_next'"
    )
    await query('DROP TABLE notes')

    t.strictSame(await migrate({ url, migrations: next }), { applied: ['99990101000000_next'] })
    t.strictSame(await migrate({ url, migrations: next }), { applied: [] })
    await query('DELETE FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL')
  })

  await t.test('a migration that another tool left failed is refused', async (t) => {
    await query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '99990101000000_next'"
    )

    await t.rejects(migrate({ url, migrations: next }), {
      code: 'MIGRATION_FAILED',
      message: /failed migration: 99990101000000_next/
    })
  })
})

t.test(
  'files stored before quotas are counted by project and token once the migration has run',
  async (t) => {
    const { url, query } = await start(t)
    const first = shipped.migrationDirectories.findIndex(({ path }) => path.endsWith('_quotas_and_retention'))
    await migrate({
      url,
      migrations: { ...shipped, migrationDirectories: shipped.migrationDirectories.slice(0, first) }
    })
    await query(`INSERT INTO files (id, project_id, token_id, state, size_bytes)
    SELECT 'f' || i, 'p' || i % 2, CASE WHEN i > 4 THEN 't' END, CASE WHEN i < 10 THEN 'ready' ELSE 'scanning' END, i
    FROM generate_series(1, 10) i`)

    await migrate({ url })

    const sums = async (table: string, id: string) =>
      (
        await query(
          `SELECT ${id} AS id, sum(ready)::int AS files, sum(bytes)::int AS bytes FROM ${table} GROUP BY 1 ORDER BY 1`
        )
      ).rows
    t.strictSame(await sums('project_file_counts', 'project_id'), [
      { id: 'p0', files: 4, bytes: 20 },
      { id: 'p1', files: 5, bytes: 25 }
    ])
    t.strictSame(await sums('token_file_counts', 'token_id'), [{ id: 't', files: 5, bytes: 35 }])
  }
)

t.test('statements of the version before work on, prepared, while the trash is migrated', async (t) => {
  const { url, query } = await start(t)
  const first = shipped.migrationDirectories.findIndex(({ path }) => path.endsWith('_trash'))
  await migrate({
    url,
    migrations: { ...shipped, migrationDirectories: shipped.migrationDirectories.slice(0, first) }
  })
  const complete = "sha256 = 'a', type = 'text/plain', kind = 'code', engine = 'e/1', scanned_at = now()"
  await query(`INSERT INTO files (id, project_id, token_id, state, size_bytes, blob_key)
    SELECT 'f' || i, 'p', 't', CASE i WHEN 1 THEN 'deleting' WHEN 2 THEN 'abandoned' ELSE 'ready' END, 10, 'b' || i
    FROM generate_series(1, 6) i`)
  await query(`UPDATE files SET ${complete}`)
  // As the gateway of that version has them, on connections that stay open.
  const old = new pg.Client({ connectionString: url })
  await old.connect()
  t.teardown(async () => await old.end())
  const find = async (id: string): Promise<number | null> => {
    const text = `SELECT ${columnList} FROM files WHERE id = ANY($1::text[]) AND state IS NOT DISTINCT FROM 'ready'`
    return (await old.query({ name: 'find', text, values: [[id]] })).rowCount
  }
  const remove = async (id: string): Promise<number | null> => {
    const text = `UPDATE files SET state = 'deleting', lease_expires_at = NULL
      WHERE id = ANY($1::text[]) AND state IS NOT DISTINCT FROM 'ready' RETURNING id`
    return (await old.query({ name: 'remove', text, values: [[id]] })).rowCount
  }
  const publish = async (id: string): Promise<string> => {
    await old.query(
      "INSERT INTO files (id, project_id, token_id, state, size_bytes) VALUES ($1, 'p', 't', 'scanning', 10)",
      [id]
    )
    const text = `SELECT asked.refusal, file.* FROM publish_files_within_quota(
      $1::text[], ARRAY['e/1'], ARRAY[now()], ARRAY[5]::bigint[], ARRAY[NULL]::bigint[], ARRAY[NULL]::bigint[], ARRAY[NULL]::bigint[]
    ) asked, LATERAL (SELECT ${columnList} FROM (SELECT (asked.published).*) published) file`
    return (await old.query({ name: 'publish', text, values: [[id]] })).rows[0].refusal ?? 'published'
  }
  t.equal(await publish('f7'), 'published')
  for (let i = 0; i < 6; i++) await find('f3')
  t.equal(await remove('f7'), 1)

  await migrate({ url })

  const database = createDatabase({ url })
  t.teardown(database.close)
  t.strictSame(
    [...(await database.files.findStates(['f1', 'f2', 'f7'])).values()].toSorted(),
    ['abandoned', 'deleting', 'deleting'],
    'what was deleted before stays deleted'
  )
  t.equal(await database.trash.find('f1', 't'), null)
  t.equal(await database.trash.restore('f1'), null)
  t.equal(await find('f3'), 1)
  t.equal(await database.files.markTrashed('f3'), true)
  t.equal(await find('f3'), 0, 'the old version does not see what the new one moved to the trash')
  t.equal(await remove('f3'), 0)
  t.equal(await publish('f8'), 'published')
  t.equal(await publish('f9'), 'project files', 'and counts it: four ready ones and one in the trash')
  t.equal(await remove('f4'), 1)
  t.match(await database.quotas.usedByProject('p', 't'), {
    files: 4,
    bytes: 40,
    trash: { files: 1, bytes: 10 }
  })
  t.equal((await database.trash.restore('f3'))?.id, 'f3')
  t.equal(await find('f3'), 1)
})

t.test('the engine is not loaded when there is nothing to do', async (t) => {
  const { url } = await start(t)
  const script = `
    const { migrate } = await import(${JSON.stringify(new URL('../../src/migrations/migrate.js', import.meta.url).href)})
    const { applied } = await migrate({ url: process.argv[1] })
    console.log(JSON.stringify({ applied, engineLoaded: 'PRISMA_WASM_PANIC_REGISTRY' in globalThis }))
  `

  const inNewProcess = async () =>
    JSON.parse(
      (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, url])).stdout
    ) as object

  t.strictSame(await inNewProcess(), { applied: names, engineLoaded: true })
  t.strictSame(await inNewProcess(), { applied: [], engineLoaded: false })
})

t.test('an unreachable database is unavailable, not a failed migration', async (t) => {
  await t.rejects(migrate({ url: 'postgresql://postgres@127.0.0.1:1/none' }), {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true
  })
})
