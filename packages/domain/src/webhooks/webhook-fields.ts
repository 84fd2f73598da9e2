import { deliveryStates, limits, type EventType } from '@filewright/contracts'
import { parseEventId, type DeliveryState, type EventPosition } from '@filewright/db'
import { InvalidFieldError } from '@filewright/runtime'

/** Each type once. */
export function parseEventTypes(given: unknown, known: readonly EventType[]): EventType[] {
  const isKnown = (type: unknown): type is EventType => known.includes(type as EventType)
  if (!Array.isArray(given) || given.length === 0 || !given.every(isKnown)) {
    throw new InvalidFieldError('events', `must be an array of ${known.join(', ')}`)
  }
  return [...new Set(given)]
}

export function parseEventReference(field: string, text: string): EventPosition {
  const event = parseEventId(text)
  if (event === null) throw new InvalidFieldError(field, "must be an event's id")
  return event
}

export function parseEventTime(field: string, text: string): Date {
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidFieldError(field, 'must be a time such as 2026-01-15T09:30:00Z')
  }
  return time
}

export function parseDeliveryState(text: string | undefined): DeliveryState | null {
  if (text === undefined) return null
  const state = deliveryStates.find((name) => name === text)
  if (state === undefined) {
    throw new InvalidFieldError('state', `must be one of ${deliveryStates.join(', ')}`)
  }
  return state
}

export function parseOverlapHours(hours: unknown = limits.secretOverlapHours.default): number {
  const { max } = limits.secretOverlapHours
  if (!Number.isInteger(hours) || (hours as number) < 0 || (hours as number) > max) {
    throw new InvalidFieldError('overlap_hours', `must be a whole number from 0 to ${max}`)
  }
  return hours as number
}
