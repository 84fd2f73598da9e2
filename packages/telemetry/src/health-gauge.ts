import type { HealthMonitor } from '@filewright/runtime'
import type { Prom } from './metrics.js'

/** The state of `/health/ready`, as numbers. */
export function defineHealthGauge(
  prom: typeof Prom,
  registry: Prom.Registry,
  health: Pick<HealthMonitor, 'report'>
): void {
  // eslint-disable-next-line no-new -- it registers itself
  new prom.Gauge({
    name: 'filewright_dependency_up',
    help: '1 while the dependency works, 0 while it does not or nothing is known yet',
    labelNames: ['dependency'],
    registers: [registry],
    collect() {
      for (const [dependency, { state }] of Object.entries(health.report().checks)) {
        this.set({ dependency }, state === 'ok' || state === 'degraded' ? 1 : 0)
      }
    }
  })
}
