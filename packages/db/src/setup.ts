import { openPool } from './connection.js'
import { translateError } from './errors.js'

/** What a start needs of the database, without loading Prisma when there is nothing to change. */
export { migrate, type MigrateOptions } from './migrations/migrate.js'

export interface TokenStandsOptions {
  url: string
  /** SHA-256 of the token, in hex. */
  hash: string
  projects: readonly string[]
}

/** True when the token is there, for exactly these projects, never expires and was not revoked: `tokens.ensure` would change nothing. */
export async function tokenStands ({ url, hash, projects }: TokenStandsOptions): Promise<boolean> {
  const { pool, close } = openPool({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 })
  try {
    const { rowCount } = await pool.query(
      'SELECT 1 FROM tokens WHERE hash = $1 AND projects = $2::text[] AND revoked_at IS NULL AND expires_at IS NULL', [hash, projects])
    return rowCount === 1
  } catch (error) {
    throw translateError(error)
  } finally {
    await close()
  }
}
