/** The fields of a job that operators may see: its kind and size, never a user's input or output. */
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

/** Payloads, results and progress, by key. Unknown keys are hidden, so a new field is hidden too. */
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

/** BullMQ's own message for a job whose workers died. */
const STALLED = 'job stalled more than allowable limit'

/** A failure is shown only if it is one of our codes. */
export function maskFailure(reason: string | undefined): string | undefined {
  if (reason === undefined || reason === STALLED) return reason
  const code = /^\{"code":"([A-Z_]{2,64})"/.exec(reason)?.[1]
  return code ?? 'masked'
}
