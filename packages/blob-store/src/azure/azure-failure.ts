import { sentenceOf, StorageFailure } from '../remote/storage-failure.js'

interface SdkError {
  message?: string
  code?: string
  statusCode?: number
  details?: { errorCode?: string }
  response?: { headers?: { get: (name: string) => string | undefined } }
}

/**
 * Bytes were damaged on the way: another attempt may succeed, although the status says otherwise. Microsoft's
 * emulator has no code for it.
 */
const wereDamaged = ({ statusCode, message = '' }: SdkError, code: string | undefined): boolean =>
  code === 'Md5Mismatch' || (statusCode === 400 && /MD5 doesn't match/i.test(message))

export function fromAzureSdk(doing: string, error: unknown): unknown {
  if (error instanceof StorageFailure) return error
  const sdkError = (error ?? {}) as SdkError
  const code = sdkError.details?.errorCode ?? sdkError.code
  const retryAfter = Number(sdkError.response?.headers?.get('retry-after') ?? Number.NaN)
  const isHopeless = code === 'ENOTFOUND' || sdkError.statusCode === 501
  return new StorageFailure(`${doing} failed: ${describe(sdkError, code)}`, {
    cause: error,
    status: sdkError.statusCode,
    code,
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1_000 : undefined,
    transient: wereDamaged(sdkError, code) || (isHopeless ? false : undefined)
  })
}

function describe(error: SdkError, code: string | undefined): string {
  const said = [error.statusCode, code, sentenceOf(error.message)]
  const text = said.filter((part) => part !== undefined && part !== '').join(' ')
  const advice = adviceOf(error.statusCode, code)
  return advice === undefined ? text : `${text}. ${advice}`
}

function adviceOf(status: number | undefined, code: string | undefined): string | undefined {
  if (code === 'ENOTFOUND') return 'No such host: check AZURE_ACCOUNT or AZURE_ENDPOINT'
  if (code === 'ContainerNotFound') return 'Check AZURE_CONTAINER'
  return status === 401 || status === 403
    ? 'The credentials (AZURE_ACCOUNT_KEY or AZURE_SAS_TOKEN) are wrong, have expired or lack a permission, or this ' +
        "machine's clock is wrong"
    : undefined
}
