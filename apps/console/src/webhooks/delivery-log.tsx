import type { JSX } from 'preact'
import type { Delivery } from '@filewright/client/browser'
import { formatTime } from '../format.js'
import { DeliveryResult } from './delivery-result.js'
import { webhookTexts } from './webhook-texts.js'

const texts = webhookTexts.deliveries

export interface DeliveryLogProps {
  deliveries: readonly Delivery[]
  isWorking: boolean
  onReplay: (eventId: string) => void
}

/** The response is somebody else's text: it is only ever shown as text. */
export function DeliveryLog({ deliveries, isWorking, onReplay }: DeliveryLogProps): JSX.Element {
  return (
    <ul class="delivery-list">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <details>
            <summary>
              <DeliveryResult of={delivery} />
            </summary>
            <DeliveryFacts of={delivery} />
          </details>
          {delivery.type !== null && delivery.state !== 'pending' && (
            <button
              type="button"
              class="link"
              aria-label={texts.againOf(delivery)}
              disabled={isWorking}
              onClick={() => {
                onReplay(delivery.event_id)
              }}
            >
              {texts.again}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function DeliveryFacts({ of: delivery }: { of: Delivery }): JSX.Element {
  const { attempted_at: at, next_attempt_at: next, duration_ms: durationMs, error, response } = delivery
  const facts: Array<readonly [name: string, value: string | null]> = [
    [texts.status, delivery.status === null ? null : String(delivery.status)],
    [texts.error, error],
    [texts.duration, durationMs === null ? null : texts.ms(durationMs)],
    [texts.attempts, String(delivery.attempts)],
    [texts.time, at === null ? null : formatTime(at)],
    [texts.next, next === null ? null : formatTime(next)],
    [texts.event, delivery.event_id]
  ]
  return (
    <dl class="facts delivery-facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )
      )}
      {response !== null && (
        <div>
          <dt>{texts.response}</dt>
          <dd>
            {response === '' ? (
              texts.noResponse
            ) : (
              <pre tabIndex={0} aria-label={texts.response} role="region">
                {response}
              </pre>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}
