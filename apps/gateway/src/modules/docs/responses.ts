import { sentences } from '@filewright/contracts'
import { QuotaExceededError, type ExceededQuota } from '@filewright/domain'
import { AppError, InvalidFieldError, type ErrorCode } from '@filewright/runtime'
import { toPublicError, type PublicError } from '../../http/error-map.js'
import type { ResponseHeader } from './headers.js'

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const everywhere: ResponseHeader[] = ['X-Request-Id']
const counted: ResponseHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

export function headersOf(names: readonly ResponseHeader[]) {
  return Object.fromEntries(
    [...everywhere, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }])
  )
}

/** A response to a known token has rate-limit headers. */
export function success(
  description: string,
  content: object | undefined,
  names: readonly ResponseHeader[] = [],
  { limited = true } = {}
) {
  return {
    description,
    headers: headersOf([...names, ...(limited ? counted : [])]),
    ...(content === undefined ? {} : { content })
  }
}

export const json = (schema: string, example: unknown) => ({
  'application/json': { schema: schemaRef(schema), example }
})

/** A failure from the gateway's own error map, so the document always matches the service. */
export const failure = (code: ErrorCode): PublicError => toPublicError(new AppError(code, ''))
export const badField = (field: string, rule: string): PublicError =>
  toPublicError(new InvalidFieldError(field, rule))
export const overQuota = (quota: ExceededQuota): PublicError => toPublicError(new QuotaExceededError(quota))
export const frameworkError = (statusCode: number): PublicError => toPublicError({ statusCode })
export const sentence = (status: number, text: string): PublicError => ({ status, sentence: text })

const descriptions: Record<number, string> = {
  400: 'The request is wrong',
  401: 'No token, or a bad one',
  403: 'The token has no access to this project, or a quota is exceeded',
  404: 'The file does not exist, or the token has no access to it',
  408: 'The client fell silent',
  409: 'A request with this Idempotency-Key is still running',
  410: 'The security scan withdrew the file',
  412: 'The precondition failed',
  413: 'The body is too large',
  415: 'The body is not JSON',
  416: 'No byte of the range exists',
  422: 'The Idempotency-Key was used for a different request',
  429: 'A limit is reached',
  500: 'Unexpected failure',
  503: 'A dependency is down, or the service is full',
  504: 'The service did not finish before its deadline'
}

const ownHeaders: Record<number, ResponseHeader[]> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After', ...counted],
  503: ['Retry-After'],
  504: ['Retry-After']
}

/** One response per status, with every possible message as an example. */
export function failures(all: readonly PublicError[], more: Record<number, ResponseHeader[]> = {}) {
  const byStatus = groupByStatus(all)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      String(status),
      {
        description: descriptions[status] ?? '',
        headers: headersOf([...(ownHeaders[status] ?? []), ...(more[status] ?? [])]),
        content: {
          'application/json': {
            schema: schemaRef('ErrorResponse'),
            examples: Object.fromEntries(
              [...new Set(errors.map(({ sentence }) => sentence))].map((error) => [
                nameOf(error),
                { value: { error } }
              ])
            )
          }
        }
      }
    ])
  )
}

function groupByStatus(all: readonly PublicError[]): Map<number, PublicError[]> {
  const groups = new Map<number, PublicError[]>()
  for (const error of all) groups.set(error.status, [...(groups.get(error.status) ?? []), error])
  return groups
}

/** Turns a message into an example name. */
const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Errors that any request can get before its route runs. */
export const common: PublicError[] = [failure('DATABASE_UNAVAILABLE'), failure('JOB_FAILED')]
export const authenticated: PublicError[] = [
  failure('UNAUTHORIZED'),
  sentence(429, sentences.tooManyRequests),
  ...common
]
