import { InvalidFieldError } from '@filewright/runtime'

export type Query = Record<string, unknown>

/** A repeated parameter arrives as an array, and the intended value is unknown. */
export function once(query: Query, field: string): string | undefined {
  const value = query[field]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidFieldError(field, 'must be given once')
}
