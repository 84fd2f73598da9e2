import { eventIdOf } from '../event-id.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'
import { XMIN } from './events.repository.js'

export interface ClaimOptions {
  /** The process that makes the attempts. Only it can record their results. */
  claim: string
  /** If there is no result by then, the attempt is repeated. */
  leaseMs: number
  max: number
  /** Attempts under way per endpoint. One for an endpoint that is new, slow, or whose last attempt failed. */
  perEndpoint: number
  /** Concurrent attempts for all endpoints whose last attempt failed. */
  maxFailing: number
  /**
   * Attempts under way for all endpoints that are new, or whose last response was slow. One token has half
   * of them for its endpoints that fail, are new or slow.
   */
  maxSlow: number
  /** Attempts under way for all endpoints of one token. */
  perOwner: number
  /** A later event of a file waits until the earlier one has failed so often. */
  orderedAttempts: number
}

/** A delivery with the data for its attempt. */
export interface ClaimedDelivery {
  id: string
  endpointId: string
  attempts: number
  url: string
  /** Encrypted; only the secrets that are valid now. */
  secrets: string[]
  tokenId: string | null
  eventId: string
  /** Null if the event was removed, or no longer belongs to the endpoint. */
  event: { type: string; at: Date; data: Record<string, unknown> } | null
}

export interface AttemptResult {
  isDelivered: boolean
  /** Delivered fast enough for the endpoint to get more attempts at the same time. */
  isPrompt: boolean
  status: number | null
  durationMs: number
  error: string | null
  response: string | null
  /** The delay of the next attempt if this one failed. */
  retryMs: number
  /** The endpoint responded with 410 Gone. */
  isGone: boolean
}

export interface AttemptRules {
  /** After so many hours of failures only, the endpoint is disabled. */
  giveUpHours: number
  /** As in ClaimOptions. */
  orderedAttempts: number
}

export interface RecordedAttempt {
  /** Whether this result disabled the endpoint. */
  isDisabled: boolean
}

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export interface DeliveryRecord {
  id: string
  eventId: string
  type: string | null
  state: DeliveryState
  attempts: number
  createdAt: Date
  attemptedAt: Date | null
  nextAttemptAt: Date | null
  status: number | null
  durationMs: number | null
  error: string | null
  response: string | null
}

export interface DeliveriesRepository {
  /**
   * Creates deliveries of new events, once per event. Returns the number of events; 0 while another gateway
   * does it.
   */
  fanOut: (limit: number) => Promise<number>
  claim: (options: ClaimOptions) => Promise<ClaimedDelivery[]>
  /** Null if the claim expired and another worker took the delivery. */
  record: (
    id: string,
    claim: string,
    result: AttemptResult,
    rules: AttemptRules
  ) => Promise<RecordedAttempt | null>
  /** No attempt was made: the delivery becomes due again later. */
  release: (id: string, claim: string, retryMs: number) => Promise<void>
  /** There is nothing left to send. The delivery fails without counting against its endpoint. */
  drop: (id: string, claim: string, reason: string) => Promise<void>
  /** Newest first. Waits for the token's turn. */
  list: (
    options: { endpointId: string; before: string | null; limit: number; state: DeliveryState | null },
    tokenId: string
  ) => Promise<DeliveryRecord[]>
  /**
   * Delivers events again to an endpoint that receives their types, oldest first. Returns their number. Skips
   * events that already wait for delivery, so that repeated calls do not fill the table.
   */
  replay: (
    options: {
      endpointId: string
      event: { txid: string; id: string } | null
      from: Date | null
      to: Date | null
      limit: number
    },
    tokenId: string
  ) => Promise<number>
  removeOld: (options: { days: number; limit: number }) => Promise<number>
  /** Deletes the deliveries of deleted endpoints. */
  removeOrphans: (limit: number) => Promise<number>
  /** Deliveries that are due, and since when. */
  backlog: () => Promise<{ due: number; oldestSeconds: number }>
}

/**
 * Events of the operator's endpoints, of the endpoint's project, or, if they have no project, of its token.
 */
const concerns = `
  (w.project_id IS NULL OR w.project_id = e.project_id
    OR e.project_id IS NULL AND e.token_id IS NOT NULL AND w.token_id = e.token_id)`

const fanOut: Statement = {
  text: `
    WITH cursor AS (SELECT txid, id FROM event_cursor WHERE slot = 1 FOR UPDATE SKIP LOCKED),
    batch AS MATERIALIZED (
      SELECT e.* FROM cursor, LATERAL (
        SELECT txid, id, type, project_id, token_id, file_id, at FROM events
        WHERE (events.txid, events.id) > (cursor.txid, cursor.id) AND events.txid < ${XMIN}
        ORDER BY events.txid, events.id LIMIT $1
      ) e
    ), deliveries AS (
      INSERT INTO webhook_deliveries (endpoint_id, event_txid, event_id, file_id)
      SELECT w.id, e.txid, e.id, e.file_id FROM batch e JOIN webhook_endpoints w
        ON w.enabled AND w.created_at <= e.at AND e.type = ANY (w.events) AND ${concerns}
      ORDER BY e.txid, e.id
    ), moved AS (
      UPDATE event_cursor SET txid = last.txid, id = last.id
      FROM (SELECT txid, id FROM batch ORDER BY txid DESC, id DESC LIMIT 1) last WHERE slot = 1
    )
    SELECT count(*)::int AS count FROM batch`
}

const claim: Statement = {
  text: `
    SELECT d.id::text, d.endpoint_id AS "endpointId", d.attempts, w.url, w.token_id AS "tokenId",
      CASE WHEN w.previous_secret_expires_at > now() THEN w.secrets ELSE w.secrets[1:1] END AS secrets,
      d.event_txid::text AS "eventTxid", d.event_id::text AS "eventPart", e.type, e.at, e.data
    FROM claim_webhook_deliveries($1, $2, $3, $4, $5, $6, $7, $8) d
    JOIN webhook_endpoints w ON w.id = d.endpoint_id
    LEFT JOIN events e ON e.txid = d.event_txid AND e.id = d.event_id AND ${concerns}`
}

/** Makes the file's next event due. `ended` has the delivery that it was waiting for. */
const wakeNext = `
  UPDATE webhook_deliveries d SET next_attempt_at = now() - interval '1 millisecond' FROM ended, LATERAL (
    SELECT n.id FROM webhook_deliveries n
    WHERE n.endpoint_id = ended.endpoint_id AND n.file_id = ended.file_id AND n.state = 'pending'
      AND n.event_id > ended.event_id
    ORDER BY n.event_id LIMIT 1
  ) next WHERE d.id = next.id AND d.claim IS NULL`

/** Does not count for or against the endpoint. */
const drop: Statement = {
  text: `
    WITH ended AS (
      UPDATE webhook_deliveries SET claim = NULL, state = 'failed', error = $3
      WHERE id = $1::bigint AND claim = $2 RETURNING endpoint_id, file_id, event_id
    )
    ${wakeNext}`
}

/** Grows with each prompt response, up to more than any claim allows. A slow response resets it. */
const atOnce = 'CASE WHEN $11 THEN least(w.at_once + 1, 16) ELSE 1 END'

/** An endpoint is disabled when every attempt has failed for so many hours, and at once when it is gone. */
const record: Statement = {
  text: `
    WITH ended AS (
      UPDATE webhook_deliveries SET claim = NULL, attempts = attempts + 1, attempted_at = now(), status = $4,
        duration_ms = $5, error = $6, response = $7,
        state = CASE WHEN $3 THEN 'delivered'
          WHEN first_failed_at < now() - $9::float8 * interval '1 hour' THEN 'failed' ELSE 'pending' END,
        first_failed_at = CASE WHEN $3 THEN first_failed_at ELSE coalesce(first_failed_at, now()) END,
        next_attempt_at = now() + $8::float8 * interval '1 millisecond'
      WHERE id = $1::bigint AND claim = $2 RETURNING endpoint_id, file_id, event_id, state, attempts
    ), woken AS (
      ${wakeNext} AND (ended.state <> 'pending' OR ended.attempts = $12)
    ), recovered AS (
      UPDATE webhook_endpoints w SET failing_since = NULL, at_once = ${atOnce} FROM ended
      WHERE $3 AND w.id = ended.endpoint_id AND (w.failing_since IS NOT NULL OR w.at_once <> ${atOnce})
    ), failing AS (
      UPDATE webhook_endpoints w SET failing_since = coalesce(w.failing_since, now()), at_once = 1,
        enabled = w.enabled AND NOT ($10 OR coalesce(w.failing_since < now() - $9::float8 * interval '1 hour', false)),
        disabled_at = CASE WHEN $10 OR w.failing_since < now() - $9::float8 * interval '1 hour' THEN now() ELSE w.disabled_at END,
        disabled_reason = CASE WHEN $10 THEN 'the endpoint answered 410 Gone'
          WHEN w.failing_since < now() - $9::float8 * interval '1 hour' THEN 'every attempt failed for ' || $9::float8 || ' hours'
          ELSE w.disabled_reason END
      FROM ended WHERE NOT $3 AND w.id = ended.endpoint_id AND w.enabled
      RETURNING w.enabled
    )
    SELECT EXISTS (SELECT 1 FROM failing WHERE NOT enabled) AS "isDisabled" FROM ended`
}

const release: Statement = {
  text: `
    UPDATE webhook_deliveries SET claim = NULL, next_attempt_at = now() + $3::float8 * interval '1 millisecond'
    WHERE id = $1::bigint AND claim = $2`
}

const list: Statement = {
  text: `
    SELECT d.id::text, d.event_txid::text AS "eventTxid", d.event_id::text AS "eventPart", e.type, d.state, d.attempts,
      d.created_at AS "createdAt", d.attempted_at AS "attemptedAt",
      CASE WHEN d.state = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt",
      d.status, d.duration_ms AS "durationMs", d.error, d.response
    FROM webhook_deliveries d LEFT JOIN events e ON e.txid = d.event_txid AND e.id = d.event_id
    WHERE d.endpoint_id = $1 AND ($2::bigint IS NULL OR d.id < $2::bigint) AND ($4::text IS NULL OR d.state = $4)
    ORDER BY d.id DESC LIMIT $3`
}

/**
 * Whether the event waits for its delivery, by one index lookup per event. With outdated statistics, a join
 * would read all waiting deliveries.
 */
const waiting = `
  SELECT 1 FROM webhook_deliveries p WHERE p.endpoint_id = $1 AND p.state = 'pending' AND p.event_id = e.id`

export const replay: Statement = {
  text: `
    INSERT INTO webhook_deliveries (endpoint_id, event_txid, event_id, file_id)
    SELECT w.id, e.txid, e.id, e.file_id FROM webhook_endpoints w JOIN events e
      ON e.type = ANY (w.events) AND ${concerns} AND e.txid < ${XMIN}
    WHERE w.id = $1 AND ($2::bigint IS NULL OR (e.txid, e.id) = ($2::bigint, $3::bigint))
      AND ($4::timestamptz IS NULL OR e.at >= $4) AND ($5::timestamptz IS NULL OR e.at < $5)
      AND CASE WHEN e.file_id IS NULL
        THEN (${waiting} AND p.file_id IS NULL LIMIT 1)
        ELSE (${waiting} AND p.file_id = e.file_id LIMIT 1) END IS NULL
    ORDER BY e.txid, e.id LIMIT $6 RETURNING 1`
}

const removeOld: Statement = {
  text: `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at < now() - $1::float8 * interval '1 day'
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING 1`
}

/** Jumps from endpoint to endpoint through the index. */
const removeOrphans: Statement = {
  text: `
    WITH RECURSIVE known AS (
      (SELECT endpoint_id FROM webhook_deliveries ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.endpoint_id > k.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM known k WHERE k.endpoint_id IS NOT NULL
    )
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT d.id FROM known k, LATERAL (
        SELECT id FROM webhook_deliveries WHERE endpoint_id = k.endpoint_id ORDER BY id DESC LIMIT $1
      ) d
      WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.id = k.endpoint_id) LIMIT $1
    )) RETURNING 1`
}

const backlog: Statement = {
  text: `
    SELECT count(*)::int AS due, coalesce(extract(epoch FROM now() - min(d.next_attempt_at)), 0)::float8 AS "oldestSeconds"
    FROM webhook_endpoints w, LATERAL (
      SELECT next_attempt_at FROM webhook_deliveries
      WHERE endpoint_id = w.id AND state = 'pending' AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT 1000
    ) d WHERE w.enabled`
}

interface Positioned {
  eventTxid: string
  eventPart: string
}
type ClaimRow = Omit<ClaimedDelivery, 'event' | 'eventId'> &
  Positioned & { type: string | null; at: Date | null; data: Record<string, unknown> | null } & Record<
    string,
    unknown
  >
type ListRow = Omit<DeliveryRecord, 'eventId'> & Positioned & Record<string, unknown>

const publicId = ({ eventTxid, eventPart }: Positioned): string =>
  eventIdOf({ txid: eventTxid, id: eventPart })

function asClaimed(row: ClaimRow): ClaimedDelivery {
  const { id, endpointId, attempts, url, secrets, tokenId, type, at, data } = row
  const event = type === null || at === null || data === null ? null : { type, at, data }
  return { id, endpointId, attempts, url, secrets, tokenId, eventId: publicId(row), event }
}

export function createDeliveriesRepository(run: RunStatement, turns: Turns): DeliveriesRepository {
  return {
    fanOut: async (limit) => (await run<{ count: number }>(fanOut, [limit]))[0]?.count ?? 0,

    claim: async ({ claim: by, leaseMs, max, ...rules }) => {
      const { perEndpoint, maxFailing, orderedAttempts, maxSlow, perOwner } = rules
      const values = [by, leaseMs, max, perEndpoint, maxFailing, orderedAttempts, maxSlow, perOwner]
      return (await run<ClaimRow>(claim, values)).map(asClaimed)
    },

    record: async (id, by, result, { giveUpHours, orderedAttempts }) => {
      const { isDelivered, isPrompt, status, durationMs, error, response, retryMs, isGone } = result
      const attempt = [isDelivered, status, durationMs, error, response, retryMs]
      const values = [id, by, ...attempt, giveUpHours, isGone, isPrompt, orderedAttempts]
      return (await run<RecordedAttempt & Record<string, unknown>>(record, values))[0] ?? null
    },

    release: async (id, by, retryMs) => {
      await run(release, [id, by, retryMs])
    },

    drop: async (id, by, reason) => {
      await run(drop, [id, by, reason])
    },

    list: async ({ endpointId, before, limit, state }, tokenId) => {
      const rows = await turns.take(
        tokenId,
        async () => await run<ListRow>(list, [endpointId, before, limit, state])
      )
      return rows.map(({ eventTxid, eventPart, ...row }) => ({
        ...(row as Omit<DeliveryRecord, 'eventId'>),
        eventId: publicId({ eventTxid, eventPart })
      }))
    },

    replay: async ({ endpointId, event, from, to, limit }, tokenId) => {
      const values = [endpointId, event?.txid ?? null, event?.id ?? null, from, to, limit]
      return (await turns.take(tokenId, async () => await run(replay, values))).length
    },

    removeOld: async ({ days, limit }) => (await run(removeOld, [days, limit])).length,

    removeOrphans: async (limit) => (await run(removeOrphans, [limit])).length,

    backlog: async () =>
      (await run<{ due: number; oldestSeconds: number }>(backlog, []))[0] ?? { due: 0, oldestSeconds: 0 }
  }
}
