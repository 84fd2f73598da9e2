import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '@filewright/contracts'
import { InvalidFieldError } from '@filewright/runtime'

const VISIBLE_ASCII = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyChars}}$`)

/** The client's key, if it sent one. Opaque: quotes around it are part of it. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  // Node joins repeated headers with a comma and a space, and a space is not a visible character.
  if (typeof key !== 'string' || !VISIBLE_ASCII.test(key)) {
    throw new InvalidFieldError(
      'Idempotency-Key',
      `must be 1 to ${limits.idempotencyKeyChars} visible ASCII characters`
    )
  }
  return key
}

/**
 * Two requests count as the same if their fingerprints are equal. The order of properties does not matter.
 */
export function fingerprintOf(request: object): string {
  const members = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest('hex')
}
