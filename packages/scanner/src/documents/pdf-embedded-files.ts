import type { ScanMeter } from '../scan-meter.js'
import type { ByteRange } from '../scanner.js'
import type { PdfLimits, PdfRefusalReason } from './pdf/limits.js'
import { createPdfWorkerPool } from './pdf/worker-pool.js'

export interface PdfOptions extends PdfLimits {
  /** The owner of the PDF: lanes take turns. */
  lane?: string | undefined
  /** Records how long the PDF waited for a thread. */
  meter?: ScanMeter | undefined
  signal?: AbortSignal | undefined
  /** Counts from the moment a thread has the PDF. */
  timeoutMs: number
}

export interface EmbeddedFile {
  /**
   * For display only. A damaged file is returned twice under its name: as far as it can be decoded, and as
   * raw bytes.
   */
  name: string
  bytes: Buffer
  /** The range in the PDF, only if `bytes` account for every byte in it. */
  range?: ByteRange
}

export type PdfContents =
  | { ok: true; encrypted: 'no' | 'empty-password'; files: EmbeddedFile[] }
  | { ok: false; reason: PdfRefusalReason }

/** Public sentences for refused PDFs. */
export const pdfRefusalSentences: Readonly<Record<PdfRefusalReason, string>> = {
  PdfPassword: 'the PDF is protected by a password',
  PdfEncryption: 'the PDF is encrypted in a way that cannot be read',
  PdfTooLarge: 'the files embedded in the PDF are too large',
  PdfTooManyFiles: 'the PDF has too many embedded files',
  PdfTooComplex: 'the PDF is too complex to be read'
}

/** Only two threads: a scan worker needs its cores for other work as well. */
const pool = createPdfWorkerPool({ size: 2 })

/**
 * Returns every file that readers can extract from a PDF, decoded and decrypted. Searches the bytes instead
 * of the cross-reference table, so it also reads damaged PDFs and older revisions. Runs in a thread.
 * @throws OutOfTime after `timeoutMs`, AppError CANCELLED on abort.
 */
export async function readEmbeddedFiles(pdf: Buffer, options: PdfOptions): Promise<PdfContents> {
  const { maxBytes, maxFiles, ...limits } = options
  const reply = await pool.read({ pdf, limits: { maxBytes, maxFiles } }, limits)
  if (!reply.ok) return reply
  return { ...reply, files: reply.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes.buffer) })) }
}
