import type { AiRejectionCode } from '@filewright/contracts'
import { AppError } from '@filewright/runtime'

/** The body has the endpoint's one public message. The reason goes into the X-Rejection header. */
export function refusal(code: AiRejectionCode, reason: string, cause?: unknown): AppError {
  return new AppError('INVALID_AI_REQUEST', reason, { rejection: { code, reason }, cause })
}

interface SchemaError {
  keyword: string
  /** Empty if the body itself is wrong. */
  instancePath: string
  params: object
}

/** The problem with the first wrong field. Values are not repeated: they may be secret or long. */
export function reasonOf(errors: Iterable<SchemaError>): string {
  const [error] = errors
  if (error === undefined || (error.instancePath === '' && error.keyword !== 'required')) {
    return 'the body must be a JSON object'
  }
  const field = error.instancePath.slice(1)
  const params = error.params as {
    requiredProperties?: string[]
    allowedValues?: unknown[]
    limit?: number
    type?: string
  }
  switch (error.keyword) {
    case 'required': {
      const missing = params.requiredProperties ?? []
      return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} required`
    }
    case 'enum':
      return `${field} must be one of ${(params.allowedValues ?? []).join(', ')}`
    case 'type':
      return `${field} must be ${/^[aeio]/.test(params.type ?? '') ? 'an' : 'a'} ${params.type ?? 'string'}`
    case 'maxLength':
      return `${field} is longer than ${params.limit ?? 0} characters`
    case 'maxItems':
      return `${field} has more than ${params.limit ?? 0} entries`
    case 'pattern':
      return error.instancePath.endsWith('/path')
        ? `${field} has a control character`
        : `${field} must not be empty`
    default:
      return `${field} must not be empty`
  }
}
