import type { BlobStore } from '@filewright/blob-store'
import type { RequestVerdict } from '@filewright/domain'
import { inference, type InferenceOutcome, type InferencePayload, type QueueClient } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'
import type { SweepReport } from '../sweeper/sweeper.js'
import type { GatewayMetrics } from './gateway-metrics.js'

type Record = GatewayMetrics['record']

/** Counts every scan by its verdict, or by the reason why it has none. */
export function meteredVerdicts(requestVerdict: RequestVerdict, record: Record): RequestVerdict {
  return async (payload, options) => {
    const startedAt = performance.now()
    try {
      const result = await requestVerdict(payload, options)
      record(({ scans, scanSeconds }) => {
        scans.inc({ verdict: result.verdict })
        scanSeconds.observe(secondsSince(startedAt))
      })
      return result
    } catch (error) {
      record(({ scans }) => scans.inc({ verdict: codeOf(error) }))
      throw error
    }
  }
}

/** Counts every AI job by its outcome. */
export function meteredQueue<Q extends Pick<QueueClient, 'request'>>(queue: Q, record: Record): Q {
  return {
    ...queue,
    request: async (definition, payload, options) => {
      if (definition.name !== inference.name) return await queue.request(definition, payload, options)
      const startedAt = performance.now()
      // The queue's contract defines its payloads and results.
      const { kind, model } = payload as InferencePayload
      try {
        const result = await queue.request(definition, payload, options)
        const { engine, tokensUsed } = result as InferenceOutcome
        record(({ aiRequests, aiSeconds, aiTokens }) => {
          aiRequests.inc({ kind, model, outcome: 'ok' })
          aiSeconds.observe({ kind, model, engine }, secondsSince(startedAt))
          aiTokens.inc({ kind, model, engine }, tokensUsed)
        })
        return result
      } catch (error) {
        record(({ aiRequests }) => aiRequests.inc({ kind, model, outcome: codeOf(error) }))
        throw error
      }
    }
  }
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000
const codeOf = (error: unknown): string => (isAppError(error) ? error.code : 'ERROR')

export function meteredBlobs(blobs: BlobStore, record: Record): BlobStore {
  return {
    ...blobs,
    write: async (key, source, options) => {
      const written = await blobs.write(key, source, options)
      record(({ uploadBytes }) => uploadBytes.inc(written.sizeBytes))
      return written
    }
  }
}

/** @param report null when the pass failed. */
export function recordSweep(record: Record, report: SweepReport | null): void {
  record(({ sweeps, swept }) => {
    sweeps.inc({ result: report === null ? 'failed' : 'ok' })
    for (const [what, count] of Object.entries(report ?? {})) swept.inc({ what }, count)
  })
}
