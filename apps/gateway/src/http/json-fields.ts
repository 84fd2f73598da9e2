import { InvalidFieldError } from '@filewright/runtime'

/** A JSON object of a request. */
export type Body = Record<string, unknown>

/** Refuses unknown fields: a misspelled field would look like a successful change. */
export function objectOf(body: unknown, fields: readonly string[]): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidFieldError('body', 'must be a JSON object')
  }
  const unknown = Object.keys(body).some((field) => !fields.includes(field))
  if (unknown) throw new InvalidFieldError('body', `must have no fields but ${fields.join(', ')}`)
  return body as Body
}

export function textOf(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string') {
    throw new InvalidFieldError(field, value === undefined ? 'is required' : 'must be a string')
  }
  return value
}
