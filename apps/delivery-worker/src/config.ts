import { setting } from '@filewright/runtime'
import { Type, type Static } from '@filewright/schema'
import { webhookConfig } from '@filewright/webhooks'
import { workerConfig } from '@filewright/worker'

export const DeliveryWorkerConfig = Type.Object({
  ...workerConfig,
  ...webhookConfig,
  DELIVERY_CONCURRENCY: setting.integer(
    64,
    [1, 1_024],
    'Concurrent webhook deliveries of one worker; a single token gets at most three quarters'
  )
})
export type DeliveryWorkerConfig = Static<typeof DeliveryWorkerConfig>
