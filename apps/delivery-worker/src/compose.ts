import { delivery } from '@filewright/queue'
import { systemClock, type Logger, type ShutdownStep } from '@filewright/runtime'
import { addressPolicyOf, createResolve, createSecretBox } from '@filewright/webhooks'
import { startWorker } from '@filewright/worker'
import type { DeliveryWorkerConfig } from './config.js'
import { createDeliveryHandler } from './delivery.handler.js'

/** The lookup and the request share a limit of 10 seconds. */
const MAX_DELIVERY_MS = 15_000

/** Never used: a worker without a key takes no jobs. */
const NO_KEY = 'a worker without a key'

/** Creates every part of the worker. Returns the shutdown steps in order. */
export async function startDeliveryWorker(
  config: DeliveryWorkerConfig,
  logger: Logger
): Promise<ShutdownStep[]> {
  const { WEBHOOK_KEY: key } = config
  const policy = addressPolicyOf(config)
  return await startWorker({
    service: 'filewright-delivery-worker',
    definition: delivery,
    concurrency: config.DELIVERY_CONCURRENCY,
    longestJobMs: MAX_DELIVERY_MS,
    config,
    logger,
    // It depends only on Redis and its key; the endpoints belong to others. Without a key there are no
    // webhooks.
    behind: { name: 'delivery-worker', gate: 'none' },
    pauseWhileDown: true,
    create: () => ({
      defineMetrics: (prom, registry) => ({
        sent: new prom.Counter({
          name: 'filewright_worker_webhooks_sent_total',
          help: 'Attempts to deliver a webhook, by the class of the response',
          labelNames: ['response'],
          registers: [registry]
        })
      }),
      handler: (record) =>
        createDeliveryHandler({
          secrets: createSecretBox(key ?? NO_KEY),
          policy,
          resolve: createResolve(),
          clock: systemClock,
          onSent: ({ status }) => {
            record(({ sent }) =>
              sent.inc({ response: status === null ? 'none' : `${Math.floor(status / 100)}xx` })
            )
          }
        }),
      check: async () => (key === undefined ? { ok: false, reason: 'WEBHOOK_KEY is not set' } : { ok: true }),
      stop: []
    })
  })
}
