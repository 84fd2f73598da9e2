export { runBench, type BenchOptions } from './bench.js'
export { costsOf, tableOf } from './report.js'
export { rows } from './rows/rows.js'
export type { Row, RowResult } from './context.js'
