export type Call =
  | { kind: 'upload'; path: string; sizeBytes: number }
  | { kind: 'get' | 'head'; paths: readonly string[] }
  | { kind: 'post'; path: string; body: string }

export interface LoadSpec {
  origin: string
  headers: Record<string, string>
  call: Call
  /** Requests under way at every moment. */
  concurrency: number
  /** No request is begun after this long … */
  durationMs: number
  /** … or after this many. */
  maxRequests?: number
  status: number
}

export interface LoadResult {
  requests: number
  /** Answers with another status than expected, and broken connections. */
  failures: number
  firstFailure?: string
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}
