import { Pool, type Dispatcher } from 'undici'
import { serve } from '../child.js'
import { quantile } from '../statistics.js'
import { createForms, FORM_TYPE } from './forms.js'
import type { Call, LoadResult, LoadSpec } from './load-spec.js'

type Request = Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'body' | 'headers' | 'reset'>

function requestsOf(call: Call, headers: Record<string, string>): () => Request {
  if (call.kind === 'upload') {
    const form = createForms(call.sizeBytes)
    return () => {
      const { body, length } = form()
      return {
        method: 'POST',
        path: call.path,
        headers: { ...headers, 'content-type': FORM_TYPE, 'content-length': String(length) },
        body: body as Buffer
      }
    }
  }
  if (call.kind === 'post') {
    return () => ({
      method: 'POST',
      path: call.path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: call.body
    })
  }
  let next = 0
  const method = call.kind === 'head' ? 'HEAD' : 'GET'
  return () => ({
    method,
    path: call.paths[next++ % call.paths.length] ?? '/',
    headers,
    // Otherwise undici closes the connection after every HEAD, and the row measures connecting.
    reset: false
  })
}

/**
 * The response's status and the start of its body. The rest is discarded: the less the client does, the more
 * CPU time is left for the server.
 */
async function exchange(pool: Pool, request: Request): Promise<{ status: number; start: string }> {
  return await new Promise((resolve, reject) => {
    let status = 0
    let start = ''
    pool.dispatch(request, {
      onConnect: () => {},
      onHeaders: (code) => {
        status = code
        return true
      },
      onData: (chunk) => {
        if (start === '' && status >= 400) start = chunk.toString('utf8', 0, 200)
        return true
      },
      onComplete: () => resolve({ status, start }),
      onError: reject
    })
  })
}

/** As many connections as concurrent requests, each with one request after another. */
async function run({
  origin,
  headers,
  call,
  concurrency,
  durationMs,
  maxRequests = Infinity,
  status
}: LoadSpec): Promise<LoadResult> {
  const pool = new Pool(origin, {
    connections: concurrency,
    pipelining: 1,
    headersTimeout: 180_000,
    bodyTimeout: 180_000
  })
  const make = requestsOf(call, headers)
  const latencies: number[] = []
  let begun = 0
  let failures = 0
  let firstFailure: string | undefined
  const startedAt = performance.now()

  async function lane(): Promise<void> {
    while (performance.now() - startedAt < durationMs && begun++ < maxRequests) {
      const sentAt = performance.now()
      try {
        const answer = await exchange(pool, make())
        if (answer.status !== status) throw new Error(`${answer.status} ${answer.start}`)
        latencies.push(performance.now() - sentAt)
      } catch (error) {
        failures++
        firstFailure ??= String(error)
      }
    }
  }

  await Promise.all(Array.from({ length: concurrency }, lane))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.destroy()
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    failures,
    ...(firstFailure === undefined ? {} : { firstFailure }),
    seconds,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99)
  }
}

serve(run)
