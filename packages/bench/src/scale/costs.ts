import type { RowResult } from '../context.js'
import type { Costs } from './cell.js'

const KB = 1_000
const SMALL = { row: 'upload 4 KiB, 16 at once', bytes: 4 * 1024 }
const LARGE = { row: 'upload 1 MiB, 16 at once', bytes: 1024 * 1024 }

/**
 * The cost of an upload of that size, on the line through two measured sizes. @throws Error if the bench
 * result lacks one of them.
 */
export function costsOfUpload(rows: readonly RowResult[], kilobytes: number): Costs {
  const measured = ({ row }: typeof SMALL): Record<string, number> => {
    const cpu = rows.find(({ name }) => name === row)?.product?.cpuMsPerRequest
    if (cpu === undefined) throw new Error(`The result has no row "${row}".`)
    return cpu
  }
  const [small, large] = [measured(SMALL), measured(LARGE)]
  const share = (kilobytes * KB - SMALL.bytes) / (LARGE.bytes - SMALL.bytes)
  const at = (part: string): number => {
    const from = small[part] ?? 0
    return Math.max(0.001, from + ((large[part] ?? 0) - from) * share)
  }
  return {
    gateway: at('gateway'),
    postgres: at('postgres'),
    redis: at('redis'),
    'scan-worker': at('scan-worker-1'),
    clamd: at('clamd')
  }
}
