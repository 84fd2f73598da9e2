import type { Row } from '../harness/row.js'
import { gatewayKilled } from './gateway-killed.js'

/** Every line of the table, in the order of the table. */
export const rows: readonly Row[] = [
  gatewayKilled
]
