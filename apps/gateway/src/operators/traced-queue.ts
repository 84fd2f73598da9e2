import type { QueueClient } from '@filewright/queue'
import type { Tracing } from '@filewright/telemetry'

/** A span from requesting a job to its result. The worker's spans are inside it. */
export function tracedQueue<Q extends Pick<QueueClient, 'request'>>(queue: Q, tracing: Tracing): Q {
  return {
    ...queue,
    request: async (definition, payload, options) => {
      return await tracing.span(
        `${definition.name} request`,
        'producer',
        { 'messaging.destination.name': definition.name },
        async () => {
          return await queue.request(definition, payload, options)
        }
      )
    }
  }
}
