import { Type, type Static } from '@filewright/schema'
import { defineQueue } from '../define-queue.js'

const DeliveryPayload = Type.Object({
  v: Type.Literal(1),
  deliveryId: Type.String({ pattern: '^[0-9]{1,19}$' }),
  /** Of this attempt. */
  claim: Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' }),
  endpointId: Type.String(),
  url: Type.String({ maxLength: 2_048 }),
  eventId: Type.String(),
  body: Type.String({ maxLength: 65_536 }),
  /** Encrypted; each signs. */
  secrets: Type.Array(Type.String(), { minItems: 1, maxItems: 2 })
})
export type DeliveryPayload = Static<typeof DeliveryPayload>

const DeliveryResult = Type.Object({
  /** Null without a response. */
  status: Type.Union([Type.Integer(), Type.Null()]),
  durationMs: Type.Integer({ minimum: 0 }),
  error: Type.Union([Type.String(), Type.Null()]),
  /** The first kilobyte. */
  response: Type.Union([Type.String(), Type.Null()])
})
export type DeliveryResult = Static<typeof DeliveryResult>

/** One attempt to deliver an event. PostgreSQL decides about the next one. */
export const delivery = defineQueue<DeliveryPayload, DeliveryResult>({
  name: 'delivery',
  payload: DeliveryPayload,
  result: DeliveryResult,
  jobOptions: { attempts: 1, keepFinished: { age: 30, count: 1_000 } },
  jobId: ({ deliveryId, claim }) => `delivery-${deliveryId}-${claim}`
})
