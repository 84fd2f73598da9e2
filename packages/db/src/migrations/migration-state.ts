import { openPool } from '../connection.js'
import { translateError } from '../errors.js'
import { readMigrations } from './migration-files.js'

export interface MigrationState {
  /** In this version, not applied to the database. */
  missing: string[]
  /** In the database, but not in this version. */
  unknown: string[]
}

/** Compares only names and changes nothing; `migrate` checks the rest. */
export async function migrationState({ url }: { url: string }): Promise<MigrationState> {
  const { migrationDirectories } = await readMigrations()
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 })
  try {
    const {
      rows: [found]
    } = await pool.query<{ exists: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists"
    )
    const { rows } =
      found?.exists === true
        ? await pool.query<{ name: string }>(
            'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'
          )
        : { rows: [] }
    const ours = migrationDirectories.map(({ path }) => path)
    const applied = rows.map(({ name }) => name)
    return {
      missing: ours.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !ours.includes(name))
    }
  } catch (error) {
    throw translateError(error)
  } finally {
    await close()
  }
}
