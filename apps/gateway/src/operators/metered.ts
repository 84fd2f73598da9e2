import type { BlobStore } from '@filewright/blob-store'
import type { InferenceOutcome, InferencePayload, QueueClient, ScanFileResult } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'
import type { SweepReport } from '../sweeper/sweeper.js'
import type { GatewayMetrics } from './gateway-metrics.js'

type Record = GatewayMetrics['record']

/** Every job that is asked for is counted by what came of it. */
export function meteredQueue<Q extends Pick<QueueClient, 'request'>> (queue: Q, record: Record): Q {
  return {
    ...queue,
    request: async (definition, payload, options) => {
      const startedAt = performance.now()
      const secondsSince = (): number => (performance.now() - startedAt) / 1_000
      try {
        const result = await queue.request(definition, payload, options)
        // The contract of each queue says what its payloads and results are.
        if (definition.name === 'scan') recordScan(record, result as ScanFileResult, secondsSince())
        else recordInference(record, payload as InferencePayload, result as InferenceOutcome, secondsSince())
        return result
      } catch (error) {
        const outcome = isAppError(error) ? error.code : 'ERROR'
        if (definition.name === 'scan') record(({ scans }) => { scans.inc({ verdict: outcome }) })
        else {
          const { kind, model } = payload as InferencePayload
          record(({ aiRequests }) => { aiRequests.inc({ kind, model, outcome }) })
        }
        throw error
      }
    }
  }
}

function recordScan (record: Record, { verdict }: ScanFileResult, seconds: number): void {
  record(({ scans, scanSeconds }) => {
    scans.inc({ verdict })
    scanSeconds.observe(seconds)
  })
}

function recordInference (record: Record, { kind, model }: InferencePayload, { engine, tokensUsed }: InferenceOutcome, seconds: number): void {
  record(({ aiRequests, aiSeconds, aiTokens }) => {
    aiRequests.inc({ kind, model, outcome: 'ok' })
    aiSeconds.observe({ kind, model, engine }, seconds)
    aiTokens.inc({ kind, model, engine }, tokensUsed)
  })
}

export function meteredBlobs (blobs: BlobStore, record: Record): BlobStore {
  return {
    ...blobs,
    write: async (key, source, options) => {
      const written = await blobs.write(key, source, options)
      record(({ uploadBytes }) => { uploadBytes.inc(written.sizeBytes) })
      return written
    }
  }
}

/** @param report null when the pass failed. */
export function recordSweep (record: Record, report: SweepReport | null): void {
  record(({ sweeps, swept }) => {
    sweeps.inc({ result: report === null ? 'failed' : 'ok' })
    for (const [what, count] of Object.entries(report ?? {})) swept.inc({ what }, count)
  })
}
