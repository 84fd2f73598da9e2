import type { FoundFiles } from './find-embedded-files.js'
import type { PdfLimits, PdfRefusalReason } from './limits.js'

export interface Request {
  pdf: Uint8Array
  limits: PdfLimits
}

export type Reply = ({ ok: true } & FoundFiles) | { ok: false; reason: PdfRefusalReason }
