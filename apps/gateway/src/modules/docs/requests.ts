import type { Parameter } from './headers.js'
import { badField, failure } from './responses.js'

/** What an operation takes beside its own query and body. */
export const params = (...names: Parameter[]) =>
  [...names, 'RequestId'].map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** What an idempotency key can be refused for. */
export const idempotency = [
  failure('IDEMPOTENCY_BUSY'),
  failure('IDEMPOTENCY_MISMATCH'),
  badField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
]
