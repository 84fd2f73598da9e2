import { openPool } from './connection.js'
import { translateError } from './errors.js'
import type { NewToken } from './repositories/tokens.repository.js'

/**
 * The database functions that startup needs. They do not load Prisma, which would take longer than all of
 * them.
 */
export { migrate, type MigrateOptions } from './migrations/migrate.js'

export interface EnsureTokenOptions {
  url: string
  token: Omit<NewToken, 'expiresAt'>
}

/**
 * Creates the token, or updates the one with this hash: its projects are set and its expiry is removed.
 * Returns false if the token was revoked; it stays revoked.
 */
export async function ensureToken({
  url,
  token: { id, name, hash, projects, isOperator = false }
}: EnsureTokenOptions): Promise<boolean> {
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 })
  try {
    const { rows } = await pool.query<{ live: boolean }>(
      `
      INSERT INTO tokens (id, name, hash, projects, is_operator) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (hash) DO UPDATE SET projects = excluded.projects, is_operator = excluded.is_operator, expires_at = NULL
      RETURNING revoked_at IS NULL AS live`,
      [id, name, hash, projects, isOperator]
    )
    return rows[0]?.live === true
  } catch (error) {
    throw translateError(error)
  } finally {
    await close()
  }
}
