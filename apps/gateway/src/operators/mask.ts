/** What an operator may see of a job: which work it is and how large, never what a user wrote or got. */
const OPEN = new Set([
  'v',
  'kind',
  'type',
  'model',
  'stream',
  'analysisTypes',
  'analyzersOnly',
  'optimizationType',
  'sizeBytes',
  'requestId',
  'verdict',
  'signature',
  'engine',
  'tokensUsed',
  'modelUsed',
  'finish',
  'at',
  'ok'
])

/**
 * Payloads, results and progress, key by key. Whatever is not known to be harmless is hidden, so that a new
 * field is hidden too.
 */
export function mask(value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  if (typeof value !== 'object' || Array.isArray(value)) return hidden(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, OPEN.has(key) ? inner : hidden(inner)])
  )
}

function hidden(value: unknown): string {
  const chars = typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0)
  return `masked (${chars} characters)`
}

/** BullMQ's own sentence for a job whose workers died over it. */
const STALLED = 'job stalled more than allowable limit'

/** A failure is a code of ours, or else none of anybody's business. */
export function maskFailure(reason: string | undefined): string | undefined {
  if (reason === undefined || reason === STALLED) return reason
  const code = /^\{"code":"([A-Z_]{2,64})"/.exec(reason)?.[1]
  return code ?? 'masked'
}
