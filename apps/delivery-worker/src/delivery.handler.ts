import type { DeliveryPayload, DeliveryResult, JobContext } from '@filewright/queue'
import { failpoint, type Clock } from '@filewright/runtime'
import {
  sendWebhook,
  signedHeaders,
  type AddressPolicy,
  type Resolve,
  type SecretBox
} from '@filewright/webhooks'

export interface DeliveryDeps {
  secrets: Pick<SecretBox, 'open'>
  policy: AddressPolicy
  resolve: Resolve
  clock: Clock
  onSent?: (result: DeliveryResult) => void
}

export type DeliveryHandler = (
  payload: DeliveryPayload,
  context: Pick<JobContext<never>, 'signal'>
) => Promise<DeliveryResult>

/** Signs and sends one attempt. It may run twice: receivers recognize a repeated event by its id. */
export function createDeliveryHandler(deps: DeliveryDeps): DeliveryHandler {
  const { secrets, policy, resolve, clock, onSent } = deps
  return async ({ endpointId, url, eventId, body, secrets: sealed }, { signal }) => {
    const opened = sealed.map((secret) => secrets.open(secret, endpointId))
    const headers = signedHeaders({ id: eventId, at: clock.now(), body }, opened)
    const result = await sendWebhook({ url, headers, body, policy, resolve, signal })
    FAILPOINT: failpoint('delivery.sent')
    onSent?.(result)
    return result
  }
}
