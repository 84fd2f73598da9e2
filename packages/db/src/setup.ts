import { openPool } from './connection.js'
import { translateError } from './errors.js'
import type { NewToken } from './repositories/tokens.repository.js'

/** What a start needs of the database, without loading Prisma, which takes longer than all of it. */
export { migrate, type MigrateOptions } from './migrations/migrate.js'

export interface EnsureTokenOptions {
  url: string
  token: Omit<NewToken, 'expiresAt'>
}

/**
 * Creates the token, or gives the one with this hash these projects and no expiry. False when it was revoked,
 * which stays so.
 */
export async function ensureToken({
  url,
  token: { id, name, hash, projects }
}: EnsureTokenOptions): Promise<boolean> {
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 })
  try {
    const { rows } = await pool.query<{ live: boolean }>(
      `
      INSERT INTO tokens (id, name, hash, projects) VALUES ($1, $2, $3, $4)
      ON CONFLICT (hash) DO UPDATE SET projects = excluded.projects, expires_at = NULL
      RETURNING revoked_at IS NULL AS live`,
      [id, name, hash, projects]
    )
    return rows[0]?.live === true
  } catch (error) {
    throw translateError(error)
  } finally {
    await close()
  }
}
