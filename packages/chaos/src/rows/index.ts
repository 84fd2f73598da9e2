import type { Row } from '../harness/row.js'
import { fuzzedForms } from './fuzzed-forms.js'
import { gatewayKilled } from './gateway-killed.js'
import { hostileFilesRow } from './hostile-files.js'
import { leavingClients } from './leaving-clients.js'
import { names } from './names.js'
import { rawHttp } from './raw-http.js'
import { tokens } from './tokens.js'

/** Every line of the table, in the order of the table. */
export const rows: readonly Row[] = [
  gatewayKilled,
  hostileFilesRow,
  fuzzedForms,
  leavingClients,
  names,
  rawHttp,
  tokens
]
