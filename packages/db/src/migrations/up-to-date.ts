import { createHash } from 'node:crypto'
import type { MigrationList } from '@prisma/schema-engine-wasm'
import type pg from 'pg'

interface AppliedRow {
  name: string
  checksum: string
  whole: boolean
}

/**
 * True when the database holds exactly these migrations, each applied to its end and none edited since: what
 * nearly every start finds, told by two queries instead of a second of the engine's loading. Whatever else
 * there is, the engine judges.
 */
export async function isUpToDate(pool: pg.Pool, { migrationDirectories }: MigrationList): Promise<boolean> {
  const {
    rows: [found]
  } = await pool.query<{ exists: boolean }>("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists")
  if (found?.exists !== true) return false
  const { rows } = await pool.query<AppliedRow>(
    'SELECT migration_name AS name, checksum, (finished_at IS NOT NULL AND rolled_back_at IS NULL) AS whole FROM _prisma_migrations'
  )
  const applied = new Map(rows.filter(({ whole }) => whole).map(({ name, checksum }) => [name, checksum]))
  return (
    rows.length === migrationDirectories.length &&
    migrationDirectories.every(
      ({ path, migrationFile: { content } }) =>
        content.tag === 'ok' && applied.get(path) === sha256(content.value)
    )
  )
}

/** What the engine writes beside an applied migration. */
function sha256(script: string): string {
  return createHash('sha256').update(script).digest('hex')
}
