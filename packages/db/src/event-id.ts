/** The position of an event in the order of all events. Both are 64-bit integers, in decimal. */
export interface EventPosition {
  txid: string
  id: string
}

export const FIRST_POSITION: EventPosition = { txid: '0', id: '0' }

const MAX_BIGINT = 2n ** 63n - 1n

/** The event's public id: `webhook-id` of a delivery and `Last-Event-ID` of the stream. */
export function eventIdOf({ txid, id }: EventPosition): string {
  return `evt_${BigInt(txid).toString(36)}_${BigInt(id).toString(36)}`
}

/** Null when it is not an event's id. */
export function parseEventId(text: string): EventPosition | null {
  const parts = /^evt_([0-9a-z]{1,13})_([0-9a-z]{1,13})$/.exec(text)
  if (parts === null) return null
  const [txid, id] = [fromBase36(parts[1] ?? ''), fromBase36(parts[2] ?? '')]
  if (txid > MAX_BIGINT || id > MAX_BIGINT) return null
  return { txid: String(txid), id: String(id) }
}

function fromBase36(digits: string): bigint {
  let value = 0n
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}
