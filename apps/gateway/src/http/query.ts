import { limits } from '@filewright/contracts'
import { InvalidFieldError } from '@filewright/runtime'

export type Query = Record<string, unknown>

/** A repeated parameter arrives as an array, and the intended value is unknown. */
export function once(query: Query, field: string): string | undefined {
  const value = query[field]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidFieldError(field, 'must be given once')
}

export function wholeNumber(field: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > limits.wholeNumber) {
    throw new InvalidFieldError(field, 'must be a whole number of at least 1')
  }
  return value
}
