import { createHash } from 'node:crypto'
import { toSarif } from '@filewright/contracts'
import { VERSION } from '../version.js'
import type { FileReport } from './report.js'

export function asSarif(reports: readonly FileReport[]): object {
  return toSarif(reports, {
    version: VERSION,
    hash: (text) => createHash('sha256').update(text).digest('hex')
  })
}
