import {
  delivery,
  inference,
  scanFile,
  type QueueClient,
  type QueueCounts,
  type QueueDefinition
} from '@filewright/queue'
import type { HealthMonitor } from '@filewright/runtime'
import { createMetrics, defineHealthGauge, type Metrics, type Prom } from '@filewright/telemetry'

export interface GatewayMetricsDeps {
  queue: Pick<QueueClient, 'waiters' | 'counts'>
  health: Pick<HealthMonitor, 'report'>
}

export type GatewayMetrics = Metrics<GatewayMeters>
export type GatewayMeters = ReturnType<typeof define>

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]
/** Several scrapers may come every few seconds. Redis is asked once for all of them. */
const COUNTS_FRESH_MS = 5_000
const COUNTS_WITHIN_MS = 1_000

export function createGatewayMetrics({ queue, health }: GatewayMetricsDeps): GatewayMetrics {
  return createMetrics((prom, registry) => {
    defineHealthGauge(prom, registry, health)
    defineQueueGauges(prom, registry, queue)
    return define(prom, registry)
  })
}

/** Labels are route patterns, statuses, catalogue names and error codes, never an id or client input. */
function define(prom: typeof Prom, registry: Prom.Registry) {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new prom.Counter<L>({ name, help, labelNames, registers })
  const seconds = <L extends string>(name: string, help: string, labelNames: L[]) => {
    return new prom.Histogram<L>({ name, help, labelNames, buckets: REQUEST_SECONDS, registers })
  }
  return {
    requests: counter('filewright_http_requests_total', 'Requests answered', ['method', 'route', 'status']),
    requestSeconds: seconds(
      'filewright_http_request_seconds',
      'Time from the head of a request to the end of its answer',
      ['method', 'route']
    ),
    uploadBytes: counter('filewright_upload_bytes_total', 'Bytes of files taken into the blob store'),
    downloadBytes: counter('filewright_download_bytes_total', 'Bytes of files sent to clients'),
    downloadsNotLogged: counter(
      'filewright_downloads_not_logged_total',
      'Downloads that a full download log dropped: recalls will not name them'
    ),
    scans: counter('filewright_scans_total', 'Scans asked for, by verdict or by why there is none', [
      'verdict'
    ]),
    scanSeconds: seconds(
      'filewright_scan_seconds',
      'Time from asking for a scan to its verdict, the queue included',
      []
    ),
    aiRequests: counter('filewright_ai_requests_total', 'AI requests, by how they ended', [
      'kind',
      'model',
      'outcome'
    ]),
    aiSeconds: seconds('filewright_ai_seconds', 'Time of answered AI requests, the queue included', [
      'kind',
      'model',
      'engine'
    ]),
    aiTokens: counter('filewright_ai_tokens_total', 'Tokens of answered AI requests, prompt and output', [
      'kind',
      'model',
      'engine'
    ]),
    sweeps: counter('filewright_sweeps_total', 'Passes of the sweeper', ['result']),
    swept: counter('filewright_swept_total', 'What the sweeper ended or removed', ['what']),
    rescanned: counter(
      'filewright_rescanned_total',
      'Stored files scanned again under new signatures, by what came of it',
      ['result']
    ),
    deliveries: counter(
      'filewright_webhook_deliveries_total',
      'Attempts to deliver a webhook, by what came of it',
      ['result']
    ),
    disabledWebhooks: counter('filewright_webhooks_disabled_total', 'Webhooks that the service has disabled')
  }
}

function defineQueueGauges(
  prom: typeof Prom,
  registry: Prom.Registry,
  queue: GatewayMetricsDeps['queue']
): void {
  const registers = [registry]
  const definitions = [scanFile, inference, delivery] as QueueDefinition[]
  let cached: { at: number; counts: Promise<Array<[string, QueueCounts]>> } | undefined

  const counts = async (): Promise<Array<[string, QueueCounts]>> => {
    if (cached === undefined || Date.now() - cached.at > COUNTS_FRESH_MS) {
      const asked = Promise.all(
        definitions.map(
          async (definition): Promise<[string, QueueCounts]> => [
            definition.name,
            await queue.counts(definition)
          ]
        )
      )
      cached = { at: Date.now(), counts: within(asked, COUNTS_WITHIN_MS).catch(() => []) }
    }
    return await cached.counts
  }

  /* eslint-disable no-new -- gauges that ask register themselves */
  new prom.Gauge({
    name: 'filewright_waiters',
    help: 'Requests that wait for a job',
    registers,
    collect() {
      this.set(queue.waiters())
    }
  })
  new prom.Gauge({
    name: 'filewright_queue_jobs',
    help: 'Jobs in the queue, by state; absent while Redis does not answer',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const [name, { waiting, active, delayed, failed }] of await counts()) {
        for (const [state, count] of Object.entries({ waiting, active, delayed, failed })) {
          this.set({ queue: name, state }, count)
        }
      }
    }
  })
  new prom.Gauge({
    name: 'filewright_queue_oldest_job_seconds',
    help: 'Age of the job that has waited longest, 0 when none waits; absent while Redis does not answer',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset()
      for (const [name, { oldestWaitingMs = 0 }] of await counts()) {
        this.set({ queue: name }, oldestWaitingMs / 1_000)
      }
    }
  })
  /* eslint-enable no-new */
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
