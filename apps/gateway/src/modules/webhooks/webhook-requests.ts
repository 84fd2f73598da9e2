import { deliveryStates, limits, projectEventTypes, type EventType } from '@filewright/contracts'
import { parseEventId, type WebhookChanges } from '@filewright/db'
import { parseDescription, parseProjectId } from '@filewright/domain'
import { InvalidFieldError } from '@filewright/runtime'
import { once, type Query } from '../../http/query.js'
import type { ListDeliveries, NewWebhook, Replay } from './webhooks.service.js'

type Body = Record<string, unknown>

/** Refuses unknown fields: a misspelled field would look like a successful change. */
function objectOf(body: unknown, fields: readonly string[]): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidFieldError('body', 'must be a JSON object')
  }
  const unknown = Object.keys(body).some((field) => !fields.includes(field))
  if (unknown) throw new InvalidFieldError('body', `must have no fields but ${fields.join(', ')}`)
  return body as Body
}

function textOf(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string') {
    throw new InvalidFieldError(field, value === undefined ? 'is required' : 'must be a string')
  }
  return value
}

function eventsOf({ events }: Body): EventType[] {
  const known: readonly unknown[] = projectEventTypes
  if (!Array.isArray(events) || events.length === 0 || !events.every((type) => known.includes(type))) {
    throw new InvalidFieldError('events', `must be an array of ${projectEventTypes.join(', ')}`)
  }
  return [...new Set(events as EventType[])]
}

const descriptionOf = (body: Body): string => parseDescription(textOf(body, 'description')) ?? ''

export function parseNewWebhook(given: unknown): NewWebhook {
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

export function parseOverlapHours(given: unknown): number {
  const { overlap_hours: hours = limits.secretOverlapHours.default } = objectOf(given ?? {}, [
    'overlap_hours'
  ])
  const { max } = limits.secretOverlapHours
  if (!Number.isInteger(hours) || (hours as number) < 0 || (hours as number) > max) {
    throw new InvalidFieldError('overlap_hours', `must be a whole number from 0 to ${max}`)
  }
  return hours as number
}

export function parseReplay(given: unknown): Replay {
  const body = objectOf(given, ['event_id', 'from', 'to'])
  if (body['event_id'] !== undefined) {
    const event = parseEventId(textOf(body, 'event_id'))
    if (event === null) throw new InvalidFieldError('event_id', "must be an event's id")
    return { event, from: null, to: null }
  }
  if (body['from'] === undefined) throw new InvalidFieldError('body', 'must have event_id or from')
  return { event: null, from: timeOf(body, 'from'), to: body['to'] === undefined ? null : timeOf(body, 'to') }
}

function timeOf(body: Body, field: string): Date {
  const text = textOf(body, field)
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidFieldError(field, 'must be a time such as 2026-01-15T09:30:00Z')
  }
  return time
}

export function parseListDeliveries(query: Query): ListDeliveries {
  const state = once(query, 'state') ?? null
  const known = deliveryStates.find((name) => name === state) ?? null
  if (state !== null && known === null) {
    throw new InvalidFieldError('state', `must be one of ${deliveryStates.join(', ')}`)
  }
  const before = once(query, 'before') ?? null
  if (before !== null && !/^\d{1,18}$/.test(before)) {
    throw new InvalidFieldError('before', "must be a delivery's id")
  }
  const limit = once(query, 'limit') ?? String(limits.pageSize.default)
  if (!/^[1-9]\d{0,8}$/.test(limit)) {
    throw new InvalidFieldError('limit', 'must be a whole number of at least 1')
  }
  return { state: known, before, limit: Math.min(Number(limit), limits.pageSize.max) }
}
