import { AppError } from '@filewright/runtime'

/** The driver adapter's names for them. */
const ADAPTER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'TransactionWriteConflict',
  'TableDoesNotExist',
  'ColumnNotFound'
])

/** Unreachable, timed out, closed, pool exhausted, write conflict; P2021 and P2022: not migrated yet. */
const PRISMA_CODES = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1011',
  'P1017',
  'P2021',
  'P2022',
  'P2024',
  'P2034',
  'P2037'
])

/**
 * Connection (08), authorization (28), no such database, rollback (40), no such table or column (not migrated
 * yet), resources (53), lock timeout, operator intervention (57), system (58).
 */
const SQLSTATE = /^(?:08...|28...|3D000|40...|42P01|42703|53...|55P03|57...|58...|25006)$/

const SOCKET_CODE = /^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|EAI_)/

/** pg throws these without a code. */
const DRIVER_MESSAGES = new RegExp(
  [
    'timeout exceeded when trying to connect',
    'Connection terminated',
    'Query read timeout',
    'Client has encountered a connection error',
    'Cannot use a pool after calling end',
    'Client was closed and is not queryable'
  ].join('|')
)

interface Facts {
  code?: unknown
  message?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
  kind?: unknown
  originalCode?: unknown
  errors?: unknown
}

function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  const { code, kind, message, cause, meta, originalCode, errors } = error as Facts
  for (const candidate of [code, originalCode]) {
    if (
      typeof candidate === 'string' &&
      (PRISMA_CODES.has(candidate) || SQLSTATE.test(candidate) || SOCKET_CODE.test(candidate))
    ) {
      return true
    }
  }
  if (typeof kind === 'string' && ADAPTER_KINDS.has(kind)) return true
  if (typeof message === 'string' && DRIVER_MESSAGES.test(message)) return true
  // Node tries each address of a host name and reports the failures together.
  if (Array.isArray(errors) && errors.some((one) => isUnavailable(one, depth + 1))) return true
  return isUnavailable(meta?.driverAdapterError, depth + 1) || isUnavailable(cause, depth + 1)
}

function summary(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n').at(-1) ?? ''
}

/** Every "try later" error becomes one typed error; others are bugs and are thrown unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof AppError || !isUnavailable(error)) return error
  return new AppError('DATABASE_UNAVAILABLE', `Database unavailable: ${summary(error)}`, {
    cause: error,
    retryable: true
  })
}
