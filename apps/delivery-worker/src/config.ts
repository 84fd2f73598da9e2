import { Type, type Static } from '@filewright/schema'
import { webhookConfig } from '@filewright/webhooks'
import { workerConfig } from '@filewright/worker'

export const DeliveryWorkerConfig = Type.Object({
  ...workerConfig,
  ...webhookConfig,
  DELIVERY_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 1_024,
    default: 64,
    description: 'Concurrent webhook deliveries of one worker; a single token gets at most three quarters'
  })
})
export type DeliveryWorkerConfig = Static<typeof DeliveryWorkerConfig>
