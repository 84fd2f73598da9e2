export { runRows } from './harness/run.js'
export { tableOf } from './harness/table.js'
export { rows } from './rows/index.js'
