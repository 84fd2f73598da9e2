import type { DiagnoseMigrationHistoryOutput, MigrationList } from '@prisma/schema-engine-wasm'
import { AppError, isAppError } from '@filewright/runtime'
import { openPool } from '../connection.js'
import { translateError } from '../errors.js'
import { readMigrations, readSchema } from './migration-files.js'
import type { SchemaEngine } from './schema-engine.js'
import { isUpToDate } from './up-to-date.js'

export interface MigrateOptions {
  url: string
  /** Default 5 s. */
  connectTimeoutMs?: number
  /** For one migration, and for waiting while another process migrates. Default 2 minutes. */
  timeoutMs?: number
  /** Default: the migrations of this package. */
  migrations?: MigrationList
}

/** Any number works, as long as every process uses the same. */
const LOCK_ID = 7_346_129

const filters = { externalTables: [], externalEnums: [] }

/**
 * Applies missing migrations, all or nothing. Everything runs on one connection in one transaction: it holds
 * the lock that makes a second process wait (behind pglite-socket, where all connections share a session, the
 * transaction itself does), and a migration that fails halfway leaves no trace.
 */
export async function migrate({
  url,
  connectTimeoutMs = 5_000,
  timeoutMs = 120_000,
  migrations
}: MigrateOptions): Promise<{ applied: string[] }> {
  const migrationsList = migrations ?? (await readMigrations())
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs, statementTimeoutMs: timeoutMs })
  let cause: unknown
  try {
    if (await isUpToDate(pool, migrationsList)) return { applied: [] }
    const { createSchemaEngine } = await import('./schema-engine.js')
    const schema = await readSchema()
    await pool.query('BEGIN')
    const engine = await createSchemaEngine({
      pool,
      schema,
      onQueryError: (error) => {
        cause ??= error
      }
    })
    await pool.query(`SELECT pg_advisory_xact_lock(${LOCK_ID})`)
    const {
      rows: [found]
    } = await pool.query<{ exists: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists"
    )
    if (found?.exists === true) await refuseDrift(engine, migrationsList)
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters })
    await pool.query('COMMIT')
    return { applied: appliedMigrationNames }
  } catch (error) {
    const translated = translateError(cause ?? error)
    if (isAppError(translated, 'DATABASE_UNAVAILABLE')) throw translated
    // Closed explicitly: when this call returns, nothing of it is still running.
    await pool.query('ROLLBACK').catch(() => {})
    if (isAppError(translated)) throw translated
    throw new AppError(
      'MIGRATION_FAILED',
      `Migration failed, nothing was changed: ${messageOf(cause ?? error)}`,
      { cause: error }
    )
  } finally {
    await close()
  }
}

/** Reads only. */
export async function refuseDrift(engine: SchemaEngine, migrationsList: MigrationList): Promise<void> {
  const problem = describe(
    await engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters })
  )
  if (problem !== null) throw new AppError('MIGRATION_FAILED', problem)
}

function describe({
  failedMigrationNames,
  editedMigrationNames,
  history
}: DiagnoseMigrationHistoryOutput): string | null {
  if (failedMigrationNames.length > 0) {
    return `The database holds a failed migration: ${failedMigrationNames.join(', ')}. Repair it before starting this version`
  }
  if (editedMigrationNames.length > 0) {
    return `Applied migrations were edited afterwards: ${editedMigrationNames.join(', ')}. Restore the original files`
  }
  if (history === null || history.diagnostic === 'databaseIsBehind') return null
  return `The database has migrations that this version does not know: ${history.unpersistedMigrationNames.join(', ')}. Start a version at least as new`
}

/** The engine appends its own stack trace to the message. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .split(/\n\s+0: /, 1)[0]!
    .replace(/\s+/g, ' ')
    .trim()
}
