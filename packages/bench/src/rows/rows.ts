import type { Row } from '../context.js'
import { readRows } from './reads.js'
import { uploadRows } from './uploads.js'

export const rows: Row[] = [...uploadRows, ...readRows]
