import { monitorEventLoopDelay } from 'node:perf_hooks'
import type * as Prom from 'prom-client'

/**
 * prom-client's own gauge samples a hundred times a second, which costs half a percent of a core in an idle
 * process, and counts the time between two samples as lag.
 */
const EVERY_MS = 100
const theirs = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (part) => `nodejs_eventloop_lag_${part}_seconds`
)

/** How late the event loop runs its timers, since the last scrape. */
export function defineLagGauge(prom: typeof Prom, registry: Prom.Registry): void {
  for (const name of theirs) registry.removeSingleMetric(name)
  const delays = monitorEventLoopDelay({ resolution: EVERY_MS })
  delays.enable()
  const lagOf = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - EVERY_MS / 1_000) : 0
  // eslint-disable-next-line no-new -- it registers itself
  new prom.Gauge({
    name: 'filewright_event_loop_lag_seconds',
    help: 'How late the event loop comes to its timers, since the last scrape',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      const quantiles = {
        0.5: delays.percentile(50),
        0.99: delays.percentile(99),
        1: delays.count === 0 ? 0 : delays.max
      }
      for (const [quantile, value] of Object.entries(quantiles)) this.set({ quantile }, lagOf(value))
      delays.reset()
    }
  })
}
