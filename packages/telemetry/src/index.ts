export { defineHealthGauge } from './health-gauge.js'
export { createMetrics, type Metrics, type Prom } from './metrics.js'
export { createWorkerMetrics, type JobMetrics, type WorkerMetrics } from './worker-metrics.js'
