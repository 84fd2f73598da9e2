import { isAppError } from '@filewright/runtime'
import { openPool } from '../connection.js'
import { translateError } from '../errors.js'
import { refuseDrift } from './migrate.js'
import { readMigrations, readSchema } from './migration-files.js'

export interface UpgradeObstacle {
  /** What `migrate` would fail of, or wait for. */
  found: string
  advice: string
}

const FACTS = `
  SELECT current_setting('server_version_num')::int AS version,
    pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
    current_user AS "user",
    has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    ARRAY(SELECT relname::text FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND NOT pg_has_role(relowner, 'USAGE') ORDER BY 1) AS foreign,
    to_regclass('_prisma_migrations') IS NOT NULL AS exists,
    ARRAY(SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        AND xact_start < now() - make_interval(secs => $1) ORDER BY 1) AS transactions`

interface Facts {
  version: number
  isReadOnly: boolean
  user: string
  mayCreate: boolean
  foreign: string[]
  exists: boolean
  transactions: number[]
}

/**
 * Why `migrate` of this version would fail on the database, or block others. Reads and changes nothing.
 * @param transactionSeconds how long a transaction may have been open: a migration waits for it, and
 * everybody else waits behind the migration.
 */
export async function upgradeObstacles({
  url,
  transactionSeconds = 60
}: {
  url: string
  transactionSeconds?: number
}): Promise<UpgradeObstacle[]> {
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 })
  try {
    const { rows } = await pool.query<Facts>(FACTS, [transactionSeconds])
    const facts = rows[0] as Facts
    const obstacles = obstaclesIn(facts)
    if (!facts.exists) return obstacles
    const { createSchemaEngine } = await import('./schema-engine.js')
    const engine = await createSchemaEngine({ pool, schema: await readSchema() })
    try {
      await refuseDrift(engine, await readMigrations())
    } catch (error) {
      if (!isAppError(error, 'MIGRATION_FAILED')) throw error
      obstacles.push({ found: error.message, advice: 'Repair this first: migrate would be refused.' })
    }
    return obstacles
  } catch (error) {
    throw translateError(error)
  } finally {
    await close()
  }
}

function obstaclesIn({
  version,
  isReadOnly,
  user,
  mayCreate,
  foreign,
  transactions
}: Facts): UpgradeObstacle[] {
  const obstacles: UpgradeObstacle[] = []
  if (version < 140_000) {
    obstacles.push({
      found: `PostgreSQL ${Math.floor(version / 10_000)}`,
      advice: 'Upgrade PostgreSQL to 14 or newer.'
    })
  }
  if (isReadOnly) {
    obstacles.push({
      found: 'the server is read-only',
      advice: 'Set DATABASE_URL to the primary.'
    })
  }
  if (!mayCreate) {
    obstacles.push({
      found: `${user} may not create tables`,
      advice: `Grant it: GRANT CREATE ON SCHEMA public TO "${user}".`
    })
  }
  if (foreign.length > 0) {
    obstacles.push({
      found: `other roles own ${foreign.join(', ')}`,
      advice: `Migrate as the owner, or ALTER TABLE … OWNER TO "${user}".`
    })
  }
  if (transactions.length > 0) {
    obstacles.push({
      found: `old open transactions: processes ${transactions.join(', ')}`,
      advice:
        'Let them end, such as a backup, or end them with pg_terminate_backend: the migration would wait for them.'
    })
  }
  return obstacles
}
