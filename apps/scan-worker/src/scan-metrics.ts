import type { Prom } from '@filewright/telemetry'

export function defineScanMetrics (prom: typeof Prom, registry: Prom.Registry) {
  const registers = [registry]
  return {
    verdicts: new prom.Counter({ name: 'filewright_worker_scan_verdicts_total', help: 'Verdicts given', labelNames: ['verdict'], registers }),
    bytes: new prom.Counter({ name: 'filewright_worker_scanned_bytes_total', help: 'Bytes of the files that got a verdict', registers })
  }
}
