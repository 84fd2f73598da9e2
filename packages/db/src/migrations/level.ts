import { AppError } from '@filewright/runtime'
import type { RunStatement } from '../statements.js'

/**
 * The newest migration that this version's statements need. Written here instead of read from the folder,
 * because apps that never migrate do not include it. A test compares both.
 */
export const MIGRATION_LEVEL = '20261119233000_generation_options'

const APPLIED = {
  text: 'SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL'
}

/** Rejects with DATABASE_UNAVAILABLE while the database is older than this version. A newer one is fine. */
export async function requireLevel(run: RunStatement, level = MIGRATION_LEVEL): Promise<void> {
  const rows = await run(APPLIED, [level])
  if (rows.length === 0) {
    throw new AppError('DATABASE_UNAVAILABLE', `the database is not migrated: ${level} is missing`, {
      retryable: true
    })
  }
}
