export type Call =
  | { kind: 'upload'; path: string; sizeBytes: number }
  | { kind: 'get' | 'head'; paths: readonly string[] }
  | { kind: 'post'; path: string; body: string }

export interface LoadSpec {
  origin: string
  headers: Record<string, string>
  call: Call
  /** Concurrent requests at any time. */
  concurrency: number
  /** No request starts after this time … */
  durationMs: number
  /** … or after this many. */
  maxRequests?: number
  status: number
}

export interface LoadResult {
  requests: number
  /** Responses with an unexpected status, and broken connections. */
  failures: number
  firstFailure?: string
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}
