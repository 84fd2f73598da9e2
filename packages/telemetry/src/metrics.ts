import type * as Prom from 'prom-client'
import type { MetricsPage } from '@filewright/runtime'
import { defineLagGauge } from './lag-gauge.js'

export type { Prom }

export interface Metrics<M> {
  /** Counts something; at once, or as soon as the client is loaded. */
  record: (use: (metrics: M) => void) => void
  page: () => Promise<MetricsPage>
  close: () => void
}

/** After the busy phase of a start. */
const LOAD_AFTER_MS = 5_000
const MAX_WAITING = 2_000
/** A long interval, so that it costs nothing: our own gauge replaces it. */
const THEIR_LAG_PRECISION_MS = 10_000

/**
 * A separate registry with the process metrics. The client is loaded on the first scrape or a few seconds
 * after the start, because loading it takes half as long as Fastify; earlier events are kept and counted
 * then.
 */
export function createMetrics<M>(define: (prom: typeof Prom, registry: Prom.Registry) => M): Metrics<M> {
  let waiting: Array<(metrics: M) => void> = []
  let loaded: { registry: Prom.Registry; metrics: M } | undefined
  let loading: Promise<{ registry: Prom.Registry; metrics: M }> | undefined
  const timer = setTimeout(() => {
    void load()
  }, LOAD_AFTER_MS).unref()

  async function open(): Promise<{ registry: Prom.Registry; metrics: M }> {
    clearTimeout(timer)
    const prom = await import('prom-client')
    const registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: THEIR_LAG_PRECISION_MS })
    defineLagGauge(prom, registry)
    loaded = { registry, metrics: define(prom, registry) }
    for (const use of waiting) use(loaded.metrics)
    waiting = []
    return loaded
  }

  const load = async (): Promise<{ registry: Prom.Registry; metrics: M }> => await (loading ??= open())

  return {
    record: (use) => {
      if (loaded !== undefined) return use(loaded.metrics)
      waiting.push(use)
      if (waiting.length >= MAX_WAITING) void load()
    },
    page: async () => {
      const { registry } = await load()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
    close: () => {
      clearTimeout(timer)
      loaded?.registry.clear()
    }
  }
}
