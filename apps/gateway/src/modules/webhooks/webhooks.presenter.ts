import type { Delivery, EventType, Webhook } from '@filewright/contracts'
import type { DeliveryRecord } from '@filewright/db'
import type { ProjectWebhook } from './webhooks.service.js'

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null

export function toWebhook(record: ProjectWebhook): Webhook {
  return {
    id: record.id,
    project_id: record.projectId,
    url: record.url,
    // The database contains only known types.
    events: record.events as EventType[],
    description: record.description,
    enabled: record.enabled,
    created_at: record.createdAt.toISOString(),
    failing_since: timeOf(record.failingSince),
    disabled_at: timeOf(record.disabledAt),
    disabled_reason: record.disabledReason
  }
}

export function toDelivery(record: DeliveryRecord): Delivery {
  return {
    id: record.id,
    event_id: record.eventId,
    type: record.type,
    state: record.state,
    attempts: record.attempts,
    created_at: record.createdAt.toISOString(),
    attempted_at: timeOf(record.attemptedAt),
    next_attempt_at: timeOf(record.nextAttemptAt),
    status: record.status,
    duration_ms: record.durationMs,
    error: record.error,
    response: record.response
  }
}
