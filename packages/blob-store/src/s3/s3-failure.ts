import { sentenceOf, StorageFailure } from '../remote/storage-failure.js'

interface SdkError {
  name?: string
  message?: string
  Code?: string
  code?: string
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean }
  $response?: { headers?: Record<string, string> }
  Region?: string
}

/** The provider may have newer ones by now. */
const OLD_CREDENTIALS = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'RequestExpired',
  'TokenRefreshRequired',
  'InvalidToken'
])

/** Refused for a reason that another attempt does not have, although their status says otherwise. */
const TRANSIENT = new Set([
  'RequestTimeTooSkewed',
  'RequestTimeout',
  // Bytes were damaged or lost on the way.
  'BadDigest',
  'IncompleteBody',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  // Two conditional writes to one key at a time, of which one may still fail.
  'ConditionalRequestConflict',
  'OperationAborted'
])

export function hasOldCredentials(error: unknown): boolean {
  return OLD_CREDENTIALS.has(codeOf(error as SdkError) ?? '')
}

/** @param canRenew whether the next attempt gets other credentials */
export function fromSdk(doing: string, error: unknown, { canRenew }: { canRenew: boolean }): unknown {
  if (error instanceof StorageFailure) return error
  const sdkError = (error ?? {}) as SdkError
  const status = sdkError.$metadata?.httpStatusCode
  const code = codeOf(sdkError)
  const retryAfter = Number(sdkError.$response?.headers?.['retry-after'] ?? Number.NaN)
  const skewCorrected = sdkError.$metadata?.clockSkewCorrected === true
  const isTransient = skewCorrected || TRANSIENT.has(code ?? '') || (canRenew && hasOldCredentials(error))
  return new StorageFailure(`${doing} failed: ${describe(sdkError, status, code)}`, {
    cause: error,
    status,
    code,
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1_000 : undefined,
    transient: isTransient || (isHopeless(sdkError, status, code) ? false : undefined)
  })
}

function codeOf({ name, Code: code }: SdkError): string | undefined {
  return code ?? (name === 'Error' || name === 'Unknown' ? undefined : name)
}

function isSettingsError({ name, code }: SdkError): boolean {
  return name === 'CredentialsProviderError' || name === 'TokenProviderError' || code === 'ENOTFOUND'
}

function isHopeless(error: SdkError, status: number | undefined, code: string | undefined): boolean {
  return isSettingsError(error) || status === 501 || code === 'NotImplemented'
}

function describe(error: SdkError, status: number | undefined, code: string | undefined): string {
  // An answer to HEAD has no body, and the SDK calls that unknown.
  const said =
    code === 'UnknownError' || code === 'Unknown' ? [status] : [status, code, sentenceOf(error.message)]
  const text = said.filter((part) => part !== undefined && part !== '').join(' ')
  const advice = adviceOf(error, status, code)
  return advice === undefined ? text : `${text}. ${advice}`
}

function adviceOf(error: SdkError, status: number | undefined, code: string | undefined): string | undefined {
  if (isSettingsError(error)) {
    return error.code === 'ENOTFOUND'
      ? 'No such host: check S3_ENDPOINT, or S3_REGION for Amazon'
      : 'There are no credentials: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give the machine or pod a role'
  }
  if (hasOldCredentials(error)) return 'The credentials have expired: renew them'
  if (code === 'RequestTimeTooSkewed') return "This machine's clock or the server's is wrong"
  if (code === 'NoSuchBucket') return 'Check S3_BUCKET'
  const region = error.Region ?? error.$response?.headers?.['x-amz-bucket-region']
  const isElsewhere = status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed'
  if (isElsewhere) {
    return `The bucket is in another region: set S3_REGION${region === undefined ? '' : `=${region}`}`
  }
  return status === 401 || status === 403
    ? 'The credentials (S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or a role) are wrong or lack a permission'
    : undefined
}
