import { isAppError, type HealthMonitor } from '@filewright/runtime'
import { defineHealthGauge } from './health-gauge.js'
import { createMetrics, type Metrics, type Prom } from './metrics.js'

export interface WorkerMetrics<M> extends Pick<Metrics<JobMetrics & M>, 'record' | 'page' | 'close'> {
  /** The handler, with every job counted and timed. */
  metered: <A extends unknown[], R>(handle: (...args: A) => Promise<R>) => (...args: A) => Promise<R>
}

export interface JobMetrics {
  jobs: Prom.Counter
  durations: Prom.Histogram
  running: Prom.Gauge
}

/** From a text file's scan to a long generation. */
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]

/** The metrics of every worker's queue, and this worker's own. */
export function createWorkerMetrics<M>(
  queue: string,
  health: Pick<HealthMonitor, 'report'>,
  define: (prom: typeof Prom, registry: Prom.Registry) => M
): WorkerMetrics<M> {
  const metrics = createMetrics((prom, registry) => {
    defineHealthGauge(prom, registry, health)
    const registers = [registry]
    return {
      jobs: new prom.Counter({
        name: 'filewright_worker_jobs_total',
        help: 'Jobs handled, by how they ended',
        labelNames: ['queue', 'outcome'],
        registers
      }),
      durations: new prom.Histogram({
        name: 'filewright_worker_job_seconds',
        help: 'Time in the handler',
        labelNames: ['queue'],
        buckets: SECONDS,
        registers
      }),
      running: new prom.Gauge({
        name: 'filewright_worker_jobs_running',
        help: 'Jobs in the handler at this moment',
        labelNames: ['queue'],
        registers
      }),
      ...define(prom, registry)
    }
  })

  return {
    ...metrics,
    metered:
      (handle) =>
      async (...args) => {
        const startedAt = performance.now()
        let outcome = 'ok'
        metrics.record(({ running }) => running.inc({ queue }))
        try {
          return await handle(...args)
        } catch (error) {
          outcome = isAppError(error) ? error.code : 'ERROR'
          throw error
        } finally {
          const seconds = (performance.now() - startedAt) / 1_000
          metrics.record(({ jobs, durations, running }) => {
            running.dec({ queue })
            jobs.inc({ queue, outcome })
            durations.observe({ queue }, seconds)
          })
        }
      }
  }
}
