import { limits, projectEventTypes, type EventType } from '@filewright/contracts'
import type { WebhookChanges } from '@filewright/db'
import {
  parseDeliveryState,
  parseDescription,
  parseEventReference,
  parseEventTime,
  parseEventTypes,
  parseOverlapHours,
  parseProjectId,
  type Replay
} from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'
import { objectOf, textOf, type Body } from '../../http/json-fields.js'
import { once, type Query } from '../../http/query.js'
import type { ListDeliveries, NewProjectWebhook } from './webhooks.service.js'

const eventsOf = ({ events }: Body): EventType[] => parseEventTypes(events, projectEventTypes)

const descriptionOf = (body: Body): string => parseDescription(textOf(body, 'description')) ?? ''

export function parseNewWebhook(given: unknown): NewProjectWebhook {
  const body = objectOf(given, ['project_id', 'url', 'events', 'description'])
  return {
    projectId: parseProjectId(body['project_id'] === undefined ? undefined : textOf(body, 'project_id')),
    url: textOf(body, 'url'),
    events: eventsOf(body),
    description: body['description'] === undefined ? '' : descriptionOf(body)
  }
}

export function parseWebhookChanges(given: unknown): WebhookChanges {
  const fields = ['url', 'events', 'description', 'enabled']
  const body = objectOf(given, fields)
  const { enabled } = body
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw new InvalidFieldError('enabled', 'must be true or false')
  }
  if (Object.keys(body).length === 0) throw new InvalidFieldError('body', `must have ${fields.join(' or ')}`)
  return {
    ...(body['url'] === undefined ? {} : { url: textOf(body, 'url') }),
    ...(body['events'] === undefined ? {} : { events: eventsOf(body) }),
    ...(body['description'] === undefined ? {} : { description: descriptionOf(body) }),
    ...(enabled === undefined ? {} : { enabled })
  }
}

export const parseRotation = (given: unknown): number =>
  parseOverlapHours(objectOf(given ?? {}, ['overlap_hours'])['overlap_hours'])

export function parseReplay(given: unknown): Replay {
  const body = objectOf(given, ['event_id', 'from', 'to'])
  if (body['event_id'] !== undefined) {
    const event = parseEventReference('event_id', textOf(body, 'event_id'))
    return { event, from: null, to: null }
  }
  if (body['from'] === undefined) throw new InvalidFieldError('body', 'must have event_id or from')
  return { event: null, from: timeOf(body, 'from'), to: body['to'] === undefined ? null : timeOf(body, 'to') }
}

const timeOf = (body: Body, field: string): Date => parseEventTime(field, textOf(body, field))

export function parseListDeliveries(query: Query): ListDeliveries {
  const state = parseDeliveryState(once(query, 'state'))
  const before = once(query, 'before') ?? null
  if (before !== null && !/^\d{1,18}$/.test(before)) {
    throw new InvalidFieldError('before', "must be a delivery's id")
  }
  const limit = once(query, 'limit') ?? String(limits.pageSize.default)
  if (!/^[1-9]\d{0,8}$/.test(limit)) {
    throw new InvalidFieldError('limit', 'must be a whole number of at least 1')
  }
  return { state, before, limit: Math.min(Number(limit), limits.pageSize.max) }
}
