/**
 * Every public message of the API. Those of the specification are marked; clients match on them, so they
 * never change.
 */
export const sentences = {
  // Defined by the specification.
  invalidUpload: 'File too large or invalid type',
  fileNotFound: 'File not found',
  fileDeleted: 'File deleted successfully',
  unauthorized: 'Unauthorized',
  invalidGeneration: 'Invalid generation parameters',
  invalidAnalysis: 'Invalid code or language',
  unableToOptimize: 'Unable to optimize code',

  // Our own messages, where the specification has none.
  forbidden: 'Forbidden',
  fileRejected: 'File rejected by security scan',
  fileWithdrawn: 'File withdrawn by security scan, it cannot be restored',
  receiptsOff: 'Receipts are not enabled on this service',
  fileErased: 'File deleted permanently',
  scanUnavailable: 'Security scan unavailable, try again later',
  generationNotFound: 'Generation not found',
  tokenNotFound: 'Token not found',
  tokenRevoked: 'Token revoked successfully',
  webhookNotFound: 'Webhook not found',
  webhookDeleted: 'Webhook deleted successfully',
  webhooksOff: 'Webhooks are off on this server, its operator must set WEBHOOK_KEY',
  webhookLimit: 'The project has reached its limit of 20 webhooks',
  routeNotFound: 'Not found',
  methodNotAllowed: 'Method not allowed',
  rangeNotSatisfiable: 'Range not satisfiable',
  preconditionFailed: 'Precondition failed',
  payloadTooLarge: 'Request body too large',
  addressTooLong: 'Address too long',
  unsupportedMediaType: 'Unsupported media type',
  badRequest: 'Bad request',
  idempotencyBusy: 'A request with this Idempotency-Key is still running, try again later',
  idempotencyMismatch: 'This Idempotency-Key was used for a different request',
  tooManyRequests: 'Too many requests, try again later',
  requestTimeout: 'Request timed out',
  internal: 'Internal server error',
  unavailable: 'Service temporarily unavailable, try again later',
  noUsableAnswer: 'The model gave no usable answer, try again or change the request',
  deadline: 'The request took too long, try again later'
} as const

/** For an upload that exceeds a quota. */
export function quotaSentence({
  of,
  unit,
  limit,
  isUsedUp,
  inTrash = 0
}: {
  of: 'project' | 'token'
  unit: 'files' | 'bytes'
  limit: number
  isUsedUp: boolean
  /** The part of the limit that files in the trash use. */
  inTrash?: number
}): string {
  const amountOf = (count: number): string => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`
  const reached = isUsedUp
    ? `The ${of} has reached its limit of ${amountOf(limit)}`
    : `The file does not fit into the ${of}'s limit of ${amountOf(limit)}`
  if (inTrash === 0) return reached
  return `${reached}; ${amountOf(inTrash)} in the trash ${inTrash === 1 ? 'counts' : 'count'}, too`
}
