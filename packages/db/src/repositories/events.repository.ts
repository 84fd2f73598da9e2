import { eventIdOf, FIRST_POSITION, type EventPosition } from '../event-id.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface EventRecord extends EventPosition {
  /** The public id, derived from the position. */
  eventId: string
  type: string
  projectId: string | null
  tokenId: string | null
  fileId: string | null
  at: Date
  data: Record<string, unknown>
}

/**
 * `expired`: events after the position were already removed. `unknown`: the position is from another
 * database.
 */
export type EventGap = 'expired' | 'unknown'

export interface EventsRepository {
  /**
   * Events after a position, in order. A running transaction delays its own events and all later ones, so no
   * event is ever skipped. A position from another database cluster counts as the start.
   */
  readAfter: (options: { after: EventPosition; limit: number }) => Promise<EventRecord[]>
  /** The events of some projects, and those of the token without a project. Waits for the token's turn. */
  readProjectsAfter: (
    options: { projectIds: string[]; after: EventPosition; limit: number },
    tokenId: string
  ) => Promise<EventRecord[]>
  /** The position of the newest event; the next event comes after it. */
  lastPosition: () => Promise<EventPosition>
  /** Where a reader at `after` continues, and why it may have missed events, or null. */
  resume: (after: EventPosition) => Promise<{ position: EventPosition; gap: EventGap | null }>
  /** Notes the state of a part of the service. A change writes an event, once for all gateways. */
  notePart: (part: 'scanner', state: 'ok' | 'degraded') => Promise<boolean>
  /** Deletes old events, oldest first. Returns their number. */
  removeOld: (options: { days: number; limit: number }) => Promise<number>
  /**
   * After a restore into another cluster, events may have transaction ids that this cluster has not reached.
   * They would be invisible until then, so they become the oldest events.
   */
  adoptRestored: () => Promise<number>
}

export const XMIN = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'
const XMAX = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint'

const columns =
  'txid::text, id::text, type, project_id AS "projectId", token_id AS "tokenId", file_id AS "fileId", at, data'

/** The position is in $1 and $2. */
const isBehind = `
  (txid, id) > (CASE WHEN $1::bigint < ${XMAX} THEN $1::bigint ELSE 0 END, CASE WHEN $1::bigint < ${XMAX} THEN $2::bigint ELSE 0 END)
  AND txid < ${XMIN}`

const readAfter: Statement = {
  name: 'events-read-after',
  text: `SELECT ${columns} FROM events WHERE ${isBehind} ORDER BY txid, id LIMIT $3`
}

const readProjectsAfter: Statement = {
  name: 'events-read-projects-after',
  text: `
    SELECT each.* FROM unnest($4::text[]) project, LATERAL (
      SELECT ${columns}, txid AS by_txid, id AS by_id FROM events WHERE project_id = project AND ${isBehind}
      ORDER BY txid, id LIMIT $3
    ) each
    UNION ALL (
      SELECT ${columns}, txid AS by_txid, id AS by_id FROM events
      WHERE project_id IS NULL AND token_id = $5 AND ${isBehind} ORDER BY txid, id LIMIT $3
    )
    ORDER BY by_txid, by_id LIMIT $3`
}

const lastPosition: Statement = {
  text: `
    SELECT txid::text, id::text FROM events WHERE txid < ${XMIN} ORDER BY events.txid DESC, events.id DESC LIMIT 1`
}

/** Slot 2 contains the position up to which events have been removed. */
const resume: Statement = {
  text: `
    SELECT $1::bigint >= ${XMAX} AS "isUnknown", (txid, id) > ($1::bigint, $2::bigint) AS "isExpired"
    FROM event_cursor WHERE slot = 2`
}

const notePart: Statement = {
  text: `
    INSERT INTO part_states AS known (part, state) VALUES ($1, $2)
    ON CONFLICT (part) DO UPDATE SET state = EXCLUDED.state, changed_at = now() WHERE known.state <> EXCLUDED.state
    RETURNING part`
}

/** Reads at most the oldest `limit` events. If none is old, it does not scan the others. */
const removeOld: Statement = {
  text: `
    WITH gone AS (
      DELETE FROM events WHERE (txid, id) IN (
        SELECT txid, id FROM (SELECT txid, id, at FROM events ORDER BY txid, id LIMIT $2) oldest
        WHERE at < now() - $1::float8 * interval '1 day'
      ) RETURNING txid, id
    ), noted AS (
      UPDATE event_cursor c SET txid = last.txid, id = last.id
      FROM (SELECT txid, id FROM gone ORDER BY txid DESC, id DESC LIMIT 1) last
      WHERE c.slot = 2 AND (c.txid, c.id) < (last.txid, last.id)
    )
    SELECT 1 FROM gone`
}

const adoptRestored: Statement = {
  text: `
    WITH adopted AS (UPDATE events SET txid = 0 WHERE txid >= ${XMAX} RETURNING 1),
    cursor AS (UPDATE event_cursor SET txid = 0 WHERE txid >= ${XMAX}),
    deliveries AS (
      UPDATE webhook_deliveries SET event_txid = 0
      WHERE event_txid >= ${XMAX} AND EXISTS (SELECT 1 FROM events WHERE txid >= ${XMAX})
    )
    SELECT count(*)::int AS count FROM adopted`
}

type Row = Omit<EventRecord, 'eventId'> & Record<string, unknown>

export const asEvent = ({ txid, id, type, projectId, tokenId, fileId, at, data }: Row): EventRecord => ({
  txid,
  id,
  eventId: eventIdOf({ txid, id }),
  type,
  projectId,
  tokenId,
  fileId,
  at,
  data
})

export function createEventsRepository(run: RunStatement, turns: Turns): EventsRepository {
  return {
    readAfter: async ({ after, limit }) =>
      (await run<Row>(readAfter, [after.txid, after.id, limit])).map(asEvent),

    readProjectsAfter: async ({ projectIds, after, limit }, tokenId) => {
      const values = [after.txid, after.id, limit, projectIds, tokenId]
      return (await turns.take(tokenId, async () => await run<Row>(readProjectsAfter, values))).map(asEvent)
    },

    lastPosition: async () =>
      (await run<EventPosition & Record<string, unknown>>(lastPosition, []))[0] ?? FIRST_POSITION,

    resume: async (after) => {
      const [found] = await run<{ isUnknown: boolean; isExpired: boolean }>(resume, [after.txid, after.id])
      if (found?.isUnknown === true) return { position: FIRST_POSITION, gap: 'unknown' }
      // A reader that starts from the beginning does not expect older events.
      const isExpired = found?.isExpired === true && after.txid !== FIRST_POSITION.txid
      return { position: after, gap: isExpired ? 'expired' : null }
    },

    notePart: async (part, state) => (await run(notePart, [part, state])).length === 1,

    removeOld: async ({ days, limit }) => (await run(removeOld, [days, limit])).length,

    adoptRestored: async () => (await run<{ count: number }>(adoptRestored, []))[0]?.count ?? 0
  }
}
