import { limits } from '@filewright/contracts'
import type { DeliveryRecord, WebhookEndpointRecord } from '@filewright/db'
import type { WithSecret } from '@filewright/domain'
import { isAppError } from '@filewright/runtime'
import { table, UsageError, type AdminAdapters, type AdminFlags, type CommandResult } from './command.js'
import { newWebhookOf, overlapHoursOf, projectOf, replayOf, stateOf, webhookIdOf } from './webhook-flags.js'

/** Commands have no token, so all of them share one lane. */
const OPERATOR = ''
const ALL_PROJECTS = 'all projects'

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** With the keys of the API, and a null project for an operator's. */
const webhookJson = (webhook: WebhookEndpointRecord) => ({
  id: webhook.id,
  project_id: webhook.projectId,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  enabled: webhook.enabled,
  created_at: webhook.createdAt.toISOString(),
  failing_since: timeOf(webhook.failingSince),
  disabled_at: timeOf(webhook.disabledAt),
  disabled_reason: webhook.disabledReason
})

const deliveryJson = (delivery: DeliveryRecord) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: delivery.createdAt.toISOString(),
  attempted_at: timeOf(delivery.attemptedAt),
  next_attempt_at: timeOf(delivery.nextAttemptAt),
  status: delivery.status,
  duration_ms: delivery.durationMs,
  error: delivery.error,
  response: delivery.response
})

function shownState({ enabled, failingSince, disabledReason }: WebhookEndpointRecord): string {
  if (!enabled) return disabledReason === null ? 'disabled' : `disabled: ${disabledReason}`
  return failingSince === null ? 'enabled' : `failing since ${failingSince.toISOString()}`
}

const missing = (id: string): CommandResult => ({
  json: null,
  text: `There is no webhook ${id}. See: npm run admin -- webhook list`,
  failed: true
})

function withSecret({ webhook, secret }: WithSecret, note: string): CommandResult {
  return {
    json: { ...webhookJson(webhook), secret },
    text: [webhook.id, secret, '', 'The second line is the secret: save it now, it is not shown again.', note]
      .join('\n')
      .trimEnd()
  }
}

export async function webhookList(
  { database }: AdminAdapters,
  _argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const { webhooks } = database()
  const project = projectOf(flags)
  const found = project === null ? await webhooks.listAll() : await webhooks.list(project, OPERATOR)
  const rows = found.map((webhook) => [
    webhook.id,
    webhook.projectId ?? ALL_PROJECTS,
    webhook.url,
    shownState(webhook),
    webhook.events.join(' ')
  ])
  return {
    json: found.map(webhookJson),
    text: found.length === 0 ? 'No webhooks' : table(['ID', 'PROJECT', 'URL', 'STATE', 'EVENTS'], rows)
  }
}

export async function webhookCreate(
  { webhookEndpoints }: AdminAdapters,
  _argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const webhook = newWebhookOf(flags)
  try {
    const created = await webhookEndpoints().create(webhook)
    return withSecret(created, `It receives events of ${webhook.projectId ?? ALL_PROJECTS}.`)
  } catch (error) {
    // The same check as over HTTP.
    if (isAppError(error, 'INVALID_FIELD')) throw new UsageError(`--${error.message}`)
    throw error
  }
}

export async function webhookRotate(
  { webhookEndpoints }: AdminAdapters,
  argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const id = webhookIdOf('webhook rotate', argument)
  const hours = overlapHoursOf(flags)
  const rotated = await webhookEndpoints().rotate(id, hours, OPERATOR)
  return rotated === null ? missing(id) : withSecret(rotated, `The old secret signs for ${hours} hours more.`)
}

async function setEnabled(
  { webhookEndpoints }: AdminAdapters,
  id: string,
  enabled: boolean
): Promise<CommandResult> {
  const changed = await webhookEndpoints().change(id, { enabled }, OPERATOR)
  if (changed === null) return missing(id)
  return { json: webhookJson(changed), text: `${changed.url} is ${shownState(changed)}` }
}

export const webhookEnable = async (
  adapters: AdminAdapters,
  id: string | undefined
): Promise<CommandResult> => await setEnabled(adapters, webhookIdOf('webhook enable', id), true)

export const webhookDisable = async (
  adapters: AdminAdapters,
  id: string | undefined
): Promise<CommandResult> => await setEnabled(adapters, webhookIdOf('webhook disable', id), false)

export async function webhookDelete(
  { database }: AdminAdapters,
  argument: string | undefined
): Promise<CommandResult> {
  const id = webhookIdOf('webhook delete', argument)
  const isDeleted = await database().webhooks.remove(id, OPERATOR)
  return isDeleted ? { json: { deleted: id }, text: `Deleted ${id} and its deliveries` } : missing(id)
}

export async function webhookDeliveries(
  { database }: AdminAdapters,
  argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const id = webhookIdOf('webhook deliveries', argument)
  const state = stateOf(flags)
  const { webhooks, deliveries } = database()
  if ((await webhooks.find(id, OPERATOR)) === null) return missing(id)
  const options = { endpointId: id, before: null, limit: limits.pageSize.max, state }
  const found = await deliveries.list(options, OPERATOR)
  const rows = found.map((delivery) => [
    (delivery.attemptedAt ?? delivery.createdAt).toISOString(),
    delivery.type ?? '',
    delivery.state,
    String(delivery.attempts),
    delivery.error ?? String(delivery.status ?? ''),
    delivery.durationMs === null ? '' : `${delivery.durationMs} ms`,
    delivery.eventId
  ])
  const head = ['TIME', 'EVENT', 'STATE', 'ATTEMPTS', 'RESULT', 'DURATION', 'EVENT ID']
  return { json: found.map(deliveryJson), text: found.length === 0 ? 'No deliveries' : table(head, rows) }
}

export async function webhookReplay(
  { database, webhookEndpoints }: AdminAdapters,
  argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const id = webhookIdOf('webhook replay', argument)
  const replay = replayOf(flags)
  if ((await database().webhooks.find(id, OPERATOR)) === null) return missing(id)
  const replayed = await webhookEndpoints().replay(id, replay, OPERATOR)
  return {
    json: { replayed },
    text: `${replayed} ${replayed === 1 ? 'event' : 'events'} queued for another delivery`
  }
}
