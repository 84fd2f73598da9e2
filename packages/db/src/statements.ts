import type pg from 'pg'
import { translateError } from './errors.js'

/**
 * SQL of the hottest paths, which goes to the driver without Prisma: Prisma costs several times what
 * PostgreSQL needs for the statement itself.
 */
export interface Statement {
  /** Absent where the best plan depends on the values. */
  name?: string
  text: string
}

/**
 * A one-row table that makes its statement commit without waiting for the disk: a server crash may lose it. A
 * later commit that waits also waits for this one.
 */
export const ASYNC_COMMIT = "async_commit AS (SELECT set_config('synchronous_commit', 'off', true))"

/**
 * A condition on a row that is found by its key. Not `=`: that matches the partial indexes, which look small
 * when the statement is planned, and keep an entry of every row that ever passed through until the next
 * vacuum.
 */
export const isStill = (column: string, value: string): string => `${column} IS NOT DISTINCT FROM '${value}'`

export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: unknown[]
) => Promise<Row[]>

/**
 * @param prepared parsed and planned once per connection; not where connections share a session, because a
 * name is the session's
 */
export function createStatementRunner(
  pool: pg.Pool,
  { prepared, onAnswer }: { prepared: boolean; onAnswer?: () => void }
): RunStatement {
  return async <Row extends pg.QueryResultRow>({ name, text }: Statement, values: unknown[]) => {
    try {
      const { rows } = await pool.query<Row>(
        prepared && name !== undefined ? { name, text, values } : { text, values }
      )
      onAnswer?.()
      return rows
    } catch (error) {
      throw translateError(error)
    }
  }
}
