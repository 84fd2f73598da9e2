import { Type, type Static, type TSchema } from '@filewright/schema'
import { projectEventTypes } from './events.js'
import { projectId } from './files.js'
import { limits } from './limits.js'

const exact = { additionalProperties: false }
const time = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const url = Type.String({
  maxLength: 2_048,
  description: 'URL that receives the events; must use https and have a public address'
})
const events = Type.Array(Type.Enum([...projectEventTypes]), {
  minItems: 1,
  uniqueItems: true,
  description: 'Types of events to send'
})
const description = Type.String({ maxLength: limits.descriptionChars, description: 'For people' })
const enabled = Type.Boolean({ description: 'Whether events are sent' })
const webhook = {
  id: Type.String({ description: 'Webhook' }),
  project_id: Type.String({ description: 'Project' }),
  url,
  events,
  description,
  enabled,
  created_at: time('When it was created'),
  failing_since: orNull(time(''), 'Start of the current series of failed attempts; null after a success'),
  disabled_at: orNull(time(''), 'When the service disabled it'),
  disabled_reason: orNull(Type.String(), 'Why the service disabled it')
}
const secret = Type.String({
  pattern: '^whsec_',
  description: 'Signs every delivery. Returned only in this response'
})

export const Webhook = Type.Object(webhook, exact)
export type Webhook = Static<typeof Webhook>

export const WebhookResponse = Type.Object({ webhook: Webhook }, exact)
export type WebhookResponse = Static<typeof WebhookResponse>

/** The only response with the secret. */
export const WebhookSecretResponse = Type.Object(
  { webhook: Type.Object({ ...webhook, secret }, exact) },
  exact
)
export type WebhookSecretResponse = Static<typeof WebhookSecretResponse>

export const WebhooksResponse = Type.Object({ webhooks: Type.Array(Webhook) }, exact)
export type WebhooksResponse = Static<typeof WebhooksResponse>

export const ListWebhooksQuery = Type.Object({ project_id: projectId })

export const CreateWebhookRequest = Type.Object(
  { project_id: projectId, url, events, description: Type.Optional(description) },
  exact
)
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>

export const ChangeWebhookRequest = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled)
  },
  exact
)
export type ChangeWebhookRequest = Static<typeof ChangeWebhookRequest>

export const RotateWebhookRequest = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.secretOverlapHours.max,
        default: limits.secretOverlapHours.default,
        description: 'Hours during which deliveries are also signed with the old secret'
      })
    )
  },
  exact
)
export type RotateWebhookRequest = Static<typeof RotateWebhookRequest>

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'Delivery' }),
    event_id: Type.String({ description: 'Id of the event, as in the webhook-id header of the delivery' }),
    type: orNull(Type.String(), 'Type of the event; null if the event was removed'),
    state: Type.Enum([...deliveryStates]),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts so far' }),
    created_at: time('When it was due first'),
    attempted_at: orNull(time(''), 'Last attempt'),
    next_attempt_at: orNull(time(''), 'When a pending delivery is attempted next'),
    status: orNull(Type.Integer(), 'HTTP status of the last response; null if there was none'),
    duration_ms: orNull(Type.Integer({ minimum: 0 }), 'Of the last attempt'),
    error: orNull(Type.String(), 'Why the last attempt had no response'),
    response: orNull(Type.String(), 'First kilobyte of the last response')
  },
  exact
)
export type Delivery = Static<typeof Delivery>

export const DeliveriesResponse = Type.Object({ deliveries: Type.Array(Delivery) }, exact)
export type DeliveriesResponse = Static<typeof DeliveriesResponse>

export const ListDeliveriesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...deliveryStates], { description: 'Only deliveries in this state' })),
  before: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,18}$', description: 'Only deliveries older than the one with this id' })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageSize.max, default: limits.pageSize.default })
  )
})

export const ReplayRequest = Type.Object(
  {
    event_id: Type.Optional(Type.String({ description: 'One event' })),
    from: Type.Optional(time('Events from this time on')),
    to: Type.Optional(time('Events before this time'))
  },
  exact
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const ReplayResponse = Type.Object(
  { replayed: Type.Integer({ minimum: 0, description: 'Number of events to deliver again' }) },
  exact
)
export type ReplayResponse = Static<typeof ReplayResponse>

export const DeleteWebhookResponse = Type.Object({ message: Type.String() }, exact)
export type DeleteWebhookResponse = Static<typeof DeleteWebhookResponse>

export const WebhookParams = Type.Object({ id: Type.String() })
export type WebhookParams = Static<typeof WebhookParams>

export const ListEventsQuery = Type.Object({
  project_id: projectId,
  follow: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to wait for further events once all have been sent' })
  )
})
