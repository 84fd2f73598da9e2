import type pg from 'pg'
import { translateError } from './errors.js'

/** SQL of the hottest paths, which go to the driver without Prisma: there it costs several times what PostgreSQL needs for the statement itself. */
export interface Statement {
  /** Absent where the best plan depends on the values. */
  name?: string
  text: string
}

export type RunStatement = <Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]) => Promise<Row[]>

/** @param prepared parsed and planned once per connection; not where connections share a session, because a name is the session's */
export function createStatementRunner (pool: pg.Pool, { prepared }: { prepared: boolean }): RunStatement {
  return async <Row extends pg.QueryResultRow>({ name, text }: Statement, values: unknown[]) => {
    try {
      const { rows } = await pool.query<Row>(prepared && name !== undefined ? { name, text, values } : { text, values })
      return rows
    } catch (error) {
      throw translateError(error)
    }
  }
}
