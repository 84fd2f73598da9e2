import type { JSX } from 'preact'
import type { Delivery } from '@filewright/client/browser'
import { formatTime } from '../format.js'
import { webhookTexts } from './webhook-texts.js'

const { states, noAttempt, noStatus, ms, oldEvent } = webhookTexts.deliveries

/** A delivery in one line: its state, the response, the event and the time. */
export function DeliveryResult({ of: delivery }: { of: Delivery }): JSX.Element {
  const { state, type, status, attempts, duration_ms: durationMs, attempted_at: at } = delivery
  const response = attempts === 0 ? noAttempt : status === null ? noStatus : String(status)
  const time = at ?? delivery.created_at
  return (
    <span class="delivery-result">
      <span class="delivery-state" data-state={state}>
        {states[state]}
      </span>{' '}
      <span class="delivery-event">{type ?? oldEvent}</span>{' '}
      <span class="muted">
        {[response, ...(durationMs === null ? [] : [ms(durationMs)])].join(', ')}
        {' · '}
        <time dateTime={time}>{formatTime(time)}</time>
      </span>
    </span>
  )
}
