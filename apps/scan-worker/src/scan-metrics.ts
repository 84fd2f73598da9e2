import { signatureAgeHours, type Scanner } from '@filewright/scanner'
import type { Prom } from '@filewright/telemetry'

export function defineScanMetrics(
  scanner: Pick<Scanner, 'health'>,
  prom: typeof Prom,
  registry: Prom.Registry
) {
  const registers = [registry]
  return {
    verdicts: new prom.Counter({
      name: 'filewright_worker_scan_verdicts_total',
      help: 'Verdicts given',
      labelNames: ['verdict'],
      registers
    }),
    bytes: new prom.Counter({
      name: 'filewright_worker_scanned_bytes_total',
      help: 'Bytes of the files that got a verdict',
      registers
    }),
    official: new prom.Gauge({
      name: 'filewright_signatures_official',
      help: '1 while clamd has the official signatures, 0 while it has only our baseline; absent while clamd does not answer',
      registers,
      collect() {
        this.remove()
        const { signaturesAt } = scanner.health()
        if (signaturesAt !== undefined) this.set(signaturesAt === null ? 0 : 1)
      }
    }),
    ageHours: new prom.Gauge({
      name: 'filewright_signatures_age_hours',
      help: 'Age of the official signatures; absent while there are none',
      registers,
      collect() {
        this.remove()
        const { signaturesAt } = scanner.health()
        if (signaturesAt != null) this.set(signatureAgeHours(signaturesAt))
      }
    })
  }
}
