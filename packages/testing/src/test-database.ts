import pg from 'pg'
import { createId } from '@filewright/runtime'
import { runCommand, startPostgresServer } from './postgres-server.js'

export interface TestDatabase {
  readonly url: string
  readonly port: number
  /** Queries that bypass the repositories. */
  query: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<pg.QueryResult<Row>>
  stop: () => Promise<void>
}

export interface TestDatabaseOptions {
  /** A database on the server to copy; default none, and no tables. */
  template?: string | undefined
  /**
   * Whether it may be on the run's server; default true. Events become visible when every older
   * transaction of the server has ended, also those of other tests.
   */
  isShared?: boolean
}

/** Where a run of many test files has a shared server, with a template database. */
export const SHARED_SERVER = 'FILEWRIGHT_TEST_POSTGRES'
export const MIGRATED = 'migrated'

/** A database with our tables: a copy of the run's, or created by `migrate`. */
export async function createMigratedDatabase(
  migrate: (options: { url: string }) => Promise<unknown>,
  { isShared = true }: Pick<TestDatabaseOptions, 'isShared'> = {}
): Promise<TestDatabase> {
  if (isShared && process.env[SHARED_SERVER] !== undefined) {
    return await createTestDatabase({ template: MIGRATED })
  }
  const database = await createTestDatabase({ isShared })
  await migrate(database)
  return database
}

/** The caller's own database, on the run's server where there is one, otherwise on its own server. */
export async function createTestDatabase({
  template,
  isShared = true
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const shared = isShared ? process.env[SHARED_SERVER] : undefined
  const server = shared === undefined ? await startPostgresServer({ durable: false }) : undefined
  const admin = shared ?? server?.url ?? ''
  const name = `test_${createId()}`
  await runCommand(
    admin,
    `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`
  )
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href

  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 1_000 })
  pool.on('error', () => {})
  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    await pool.end()
    await runCommand(admin, `DROP DATABASE "${name}" WITH (FORCE)`)
    await server?.stop()
  }
  return {
    url,
    port: Number(new URL(url).port),
    query: async (sql, values) => await pool.query(sql, values),
    stop: async () => await (stopped ??= stop())
  }
}
