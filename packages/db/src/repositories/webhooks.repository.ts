import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface WebhookEndpointRecord {
  id: string
  /** Null for an operator's endpoint, which receives events of every project and of the service. */
  projectId: string | null
  /** The token that chose the address. */
  tokenId: string | null
  url: string
  events: string[]
  description: string
  enabled: boolean
  /** Encrypted, newest first. */
  secrets: string[]
  previousSecretExpiresAt: Date | null
  createdAt: Date
  /** The start of the current series of failed attempts; null after a success. */
  failingSince: Date | null
  disabledReason: string | null
  disabledAt: Date | null
}

export type NewWebhookEndpoint = Pick<
  WebhookEndpointRecord,
  'id' | 'projectId' | 'tokenId' | 'url' | 'events' | 'description'
> & { secret: string }

/** Absent properties stay unchanged. */
export type WebhookChanges = Partial<
  Pick<WebhookEndpointRecord, 'url' | 'events' | 'description' | 'enabled'>
>

export interface WebhooksRepository {
  /** Null if the project has reached its limit. */
  create: (endpoint: NewWebhookEndpoint, max: number) => Promise<WebhookEndpointRecord | null>
  find: (id: string, tokenId: string) => Promise<WebhookEndpointRecord | null>
  /** Oldest first; null lists the operator's endpoints. */
  list: (projectId: string | null, tokenId: string) => Promise<WebhookEndpointRecord[]>
  /** For operators: theirs first, then by project, oldest first. */
  listAll: () => Promise<WebhookEndpointRecord[]>
  /**
   * Enabling clears the reason for which the endpoint was disabled. Up to `LOT` waiting deliveries become due
   * at once, the rest at their scheduled retry. A token that sets another address becomes the endpoint's
   * token: events of the former token's generations are no longer sent.
   */
  change: (id: string, changes: WebhookChanges, tokenId: string) => Promise<WebhookEndpointRecord | null>
  /** The newest secret and the given one both sign for `overlapHours`; an older one is dropped. */
  rotate: (
    id: string,
    options: { secret: string; overlapHours: number },
    tokenId: string
  ) => Promise<WebhookEndpointRecord | null>
  /** Also deletes its deliveries, up to `LOT` of them; `removeOrphans` deletes the rest. */
  remove: (id: string, tokenId: string) => Promise<boolean>
}

/**
 * The maximum number of deliveries that one request changes: with all of an endpoint's, it could exceed its
 * deadline. They are read into an array, because the plan of a join may rely on outdated statistics.
 */
const LOT = 5_000

const columns = `
  id, project_id AS "projectId", token_id AS "tokenId", url, events, description, enabled, secrets,
  previous_secret_expires_at AS "previousSecretExpiresAt", created_at AS "createdAt", failing_since AS "failingSince",
  disabled_reason AS "disabledReason", disabled_at AS "disabledAt"`

const create: Statement = {
  text: `SELECT ${columns} FROM create_webhook_within_limit($1, $2, $3, $4, $5::text[], $6, $7, $8)`
}

const find: Statement = { text: `SELECT ${columns} FROM webhook_endpoints WHERE id = $1` }

const list: Statement = {
  text: `
    SELECT ${columns} FROM webhook_endpoints WHERE project_id IS NOT DISTINCT FROM $1::text ORDER BY created_at, id`
}

const listAll: Statement = {
  text: `SELECT ${columns} FROM webhook_endpoints ORDER BY project_id NULLS FIRST, created_at, id`
}

const change: Statement = {
  text: `
    WITH due AS (
      UPDATE webhook_deliveries SET next_attempt_at = now() WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE $5::boolean AND endpoint_id = $1 AND state = 'pending' AND next_attempt_at > now()
        ORDER BY next_attempt_at LIMIT ${LOT}
      )) AND claim IS NULL
    )
    UPDATE webhook_endpoints SET url = coalesce($2, url), events = coalesce($3::text[], events),
      token_id = CASE WHEN $2::text IS NULL THEN token_id ELSE $6 END,
      description = coalesce($4, description), enabled = coalesce($5::boolean, enabled),
      failing_since = CASE WHEN $5::boolean THEN NULL ELSE failing_since END,
      disabled_reason = CASE WHEN $5::boolean IS NULL THEN disabled_reason END,
      disabled_at = CASE WHEN $5::boolean IS NULL THEN disabled_at END
    WHERE id = $1 RETURNING ${columns}`
}

const rotate: Statement = {
  text: `
    UPDATE webhook_endpoints SET secrets = ARRAY[$2::text, secrets[1]],
      previous_secret_expires_at = now() + $3::float8 * interval '1 hour'
    WHERE id = $1 RETURNING ${columns}`
}

const remove: Statement = {
  text: `
    WITH gone AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id DESC LIMIT ${LOT}
      ))
    )
    DELETE FROM webhook_endpoints WHERE id = $1 RETURNING id`
}

type Row = WebhookEndpointRecord & Record<string, unknown>

export function createWebhooksRepository(run: RunStatement, turns: Turns): WebhooksRepository {
  const one = async (
    statement: Statement,
    values: unknown[],
    tokenId: string
  ): Promise<WebhookEndpointRecord | null> =>
    (await turns.take(tokenId, async () => await run<Row>(statement, values)))[0] ?? null

  return {
    create: async ({ id, projectId, tokenId, url, events, description, secret }, max) =>
      await one(create, [id, projectId, tokenId, url, events, description, secret, max], tokenId ?? ''),

    find: async (id, tokenId) => await one(find, [id], tokenId),

    list: async (projectId, tokenId) =>
      await turns.take(tokenId, async () => await run<Row>(list, [projectId])),

    listAll: async () => await run<Row>(listAll, []),

    change: async (id, { url, events, description, enabled }, tokenId) =>
      await one(
        change,
        [id, url ?? null, events ?? null, description ?? null, enabled ?? null, tokenId],
        tokenId
      ),

    rotate: async (id, { secret, overlapHours }, tokenId) =>
      await one(rotate, [id, secret, overlapHours], tokenId),

    remove: async (id, tokenId) => (await one(remove, [id], tokenId)) !== null
  }
}
